"""Lessons as the book shows them: the saved notebook, changed in copies for a page that only reads.

A card stands under the title. Citations lead to the page of references. An exercise keeps its text
and its stub; in place of the call of its check stand its hints, what its check tries, and an answer
to fold out. A figure to operate stands as the page has it, below the cell that shows it live.
"""

import copy
import re

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from helpers.exercises import catalog
from helpers.exercises.exercise import Exercise
from helpers.lesson_names import EXERCISE
from helpers.site import faults, figures, references
from helpers.site.lessons import Lesson

TOOLS = "from helpers.exercises import"


def plain(text: str) -> str:
    """Return a text in which Markdown sees no mark-up."""
    return re.sub(r"([\\`*_{}\[\]()#+!|<>$~:.-])", r"\\\1", text)


def folded(summary: str, body: str) -> str:
    """Return Markdown that a reader unfolds."""
    return f"<details><summary>{summary}</summary>\n\n{body}\n\n</details>\n"


def card(lesson: Lesson, lessons: list[Lesson], exercises: list[Exercise]) -> str:
    """Return the card under a lesson's title: minutes, how to run it, source, neighbours."""
    pages = {other.number: f"[{other.title}]({other.page})" for other in lessons}
    numbers = list(pages)
    place = numbers.index(lesson.number)
    work = sum(exercise.minutes for exercise in exercises)
    lines = [
        f"**Time** {lesson.minutes} minutes to read and try"
        + (f", {work} more for {len(exercises)} exercises" if exercises else ""),
        f"**Run it** `make learn LESSON={lesson.number}` in the course's folder "
        "([how to set up](readme.md#start))",
        f"**Source** {{download}}`{lesson.path.name} <notebooks/{lesson.path.name}>`",
    ]
    if place:
        lines.append(f"**Before** {pages[numbers[place - 1]]}")
    if place + 1 < len(numbers):
        lines.append(f"**Next** {pages[numbers[place + 1]]}")
    listed = "\n".join(f"- {line}" for line in lines)
    return f":::{{container}} lesson-card\n{listed}\n:::"


def help_for(exercise: Exercise) -> str:
    """Return what a page offers in place of a check: hints, what is tried, an answer."""
    hints = [
        folded(f"Hint {number} of {len(exercise.hints)}", plain(hint))
        for number, hint in enumerate(exercise.hints, start=1)
    ]
    tried = "\n".join(f"- {plain(text)}" for text, _ in exercise.properties)
    answer = f"````python\n{catalog.solution_text(exercise).strip()}\n````"
    parts = [*hints, folded("What the check tries", tried), folded("An answer", answer)]
    return ":::{container} exercise-help\n" + "\n".join(parts) + ":::"


def notebook(
    lesson: Lesson, lessons: list[Lesson], papers: list[references.Reference]
) -> tuple[NotebookNode, list[str]]:
    """Return a lesson as the book shows it, and a sentence for each fault, with file and cell."""
    found = faults.in_notebook(lesson.notebook)
    exercises = {e.id: e for e in catalog.exercises().values() if e.lesson == lesson.number}
    shown = copy.deepcopy(lesson.notebook)
    cells, waiting = [], None
    for cell in shown.cells:
        mine = cell.metadata.get("exercise")
        if cell.cell_type == "markdown":
            linked, wrong = references.linked(cell.source, papers)
            cell.source = _marked(linked, exercises)
            found += [f"cell {cell.id}: {fault}" for fault in wrong]
        elif TOOLS in cell.source:
            cells.append(new_markdown_cell(_nothing_runs(lesson)))
            continue
        elif waiting and cell.source.startswith(f'check("{waiting}"'):
            cells.append(new_markdown_cell(help_for(exercises[waiting])))
            waiting = None
            continue
        waiting = mine or waiting
        cells.append(cell)
        for name in figures.shown_by(cell):
            cell.outputs = []  # live controls need a kernel; the page has its own
            if name in figures.FIGURES:  # else it is named by figures.misplaced
                cells.append(new_markdown_cell(figures.page(figures.FIGURES[name])))
    cells[1].source = re.sub(r"^\*\*Time\*\*.*$", "", cells[1].source, flags=re.MULTILINE).rstrip()
    cells.insert(1, new_markdown_cell(card(lesson, lessons, list(exercises.values()))))
    shown.cells = cells
    return shown, [f"{lesson.path.name}, {fault}" for fault in found]


def anchor(exercise: str) -> str:
    """Return the anchor of an exercise on its lesson's page."""
    return f"exercise-{exercise.replace('.', '-')}"


def _marked(source: str, exercises: dict[str, Exercise]) -> str:
    """Return an exercise's text with the anchor in front of its heading."""
    heading = re.match(rf"### ({EXERCISE}) ", source)
    if heading and heading[1] in exercises:
        return f"({anchor(heading[1])})=\n{source}"
    return source


def _nothing_runs(lesson: Lesson) -> str:
    return (
        ":::{note}\nOn this page nothing runs. Think, unfold a hint when you are stuck, and "
        "compare with the answer. To have an answer of your own checked, open the lesson with "
        f"`make learn LESSON={lesson.number}` ([how to set up](readme.md#start)).\n:::"
    )
