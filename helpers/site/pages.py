"""The pages that are no lesson: the start, exercises, figures, instructors; and the README's.

Their words stand in pages/*.md; what they list is filled in here, from the lessons and the
catalogue, in place of $names.
"""

import re
from pathlib import Path
from string import Template

from helpers.exercises import catalog
from helpers.exercises.exercise import Exercise
from helpers.lesson_names import lesson_of
from helpers.site import figures, plan, stage
from helpers.site.lessons import Lesson, in_parts
from helpers.site.misconceptions import MISCONCEPTIONS

FOLDER = Path(__file__).resolve().parent / "pages"


def readme(text: str) -> str:
    """Return the README as a page of the book: another title, and links that lead to pages."""
    text = re.sub(r"\A# .+", "# Run it yourself", text)
    return re.sub(r"\]\(lessons/", "](", text)


def pictures(text: str) -> list[str]:
    """Return the files of data/ that a page shows as pictures."""
    return re.findall(r"!\[[^\]]*\]\((data/[^)\s]+)\)", text)


def written(lessons: list[Lesson], readme_text: str) -> dict[str, str]:
    """Return {file: Markdown} of the pages in pages/, filled in."""
    exercises = list(catalog.exercises().values())
    parts = in_parts(lessons, readme_text)
    filling = {
        "lesson_trees": "\n\n".join(
            f"```{{toctree}}\n:hidden:\n:caption: {title}\n\n"
            + "\n".join(lesson.path.stem for lesson in part)
            + "\n```"
            for title, part in parts.items()
        ),
        "lesson_count": str(len(lessons)),
        "exercise_count": str(len(exercises)),
        "first_lesson": lessons[0].page,
        "lesson_list": "\n\n".join(
            f"### {title}\n\n:::{{container}} lesson-list\n\n"
            + "\n".join(f"- [{one.title}]({one.page})\n\n  {one.question}" for one in part)
            + "\n\n:::"
            for title, part in parts.items()
        ),
        "exercise_tables": "\n\n".join(
            _exercise_table(lesson, [e for e in exercises if e.lesson == lesson.number])
            for lesson in lessons
        ),
        "figures": "\n\n".join(
            f"{figures.page(figure)}\n\n{_home(lessons, name)}"
            for name, figure in figures.FIGURES.items()
        ),
        "graph": plan.graph(lessons),
        "six_weeks": _week_table(lessons, exercises, 6),
        "twelve_weeks": _week_table(lessons, exercises, 12),
        "sums": _sums(lessons, exercises),
        "misconceptions": "\n".join(
            f"- *{belief}* [{id}]({_target(lessons, id)}) says: “{stage.plain(feedback)}”."
            for belief, id, feedback in MISCONCEPTIONS
        ),
        "handing_in": _readme_links(readme_text, "Handing in", "Grading"),
    }
    return {
        path.name: Template(path.read_text(encoding="utf-8")).substitute(filling)
        for path in sorted(FOLDER.glob("*.md"))
    }


def _home(lessons: list[Lesson], figure: str) -> str:
    """Return a sentence with the lesson that shows a figure."""
    for lesson in lessons:
        if any(figure in figures.shown_by(cell) for cell in lesson.notebook.cells):
            return f"From lesson [{lesson.title}]({lesson.page})."
    return ""  # figures.misplaced names it


def _target(lessons: list[Lesson], exercise: str) -> str:
    (lesson,) = [one for one in lessons if one.number == lesson_of(exercise)]
    return f"{lesson.page}#{stage.anchor(exercise)}"


def _exercise_table(lesson: Lesson, exercises: list[Exercise]) -> str:
    if not exercises:
        return ""
    rows = [
        f"| [{one.id} {one.title}]({lesson.page}#{stage.anchor(one.id)}) | {one.level} "
        f"| {one.minutes} | {one.points} |"
        for one in exercises
    ]
    head = "| exercise | level | minutes | points |\n|---|---|--:|--:|"
    return f"## [{lesson.title}]({lesson.page})\n\n{head}\n" + "\n".join(rows)


def _minutes(lesson: Lesson, exercises: list[Exercise]) -> tuple[int, int, int]:
    """Return minutes of reading, minutes of exercises, and points."""
    mine = [one for one in exercises if one.lesson == lesson.number]
    return lesson.minutes, sum(one.minutes for one in mine), sum(one.points for one in mine)


def _week_table(lessons: list[Lesson], exercises: list[Exercise], count: int) -> str:
    work = [_minutes(lesson, exercises) for lesson in lessons]
    rows = ["| week | lessons | reading | exercises |", "|--:|---|--:|--:|"]
    for week, places in enumerate(plan.weeks([r + e for r, e, _ in work], count), start=1):
        links = "<br>".join(f"[{lessons[i].title}]({lessons[i].page})" for i in places)
        read, write = (sum(work[i][column] for i in places) for column in (0, 1))
        rows.append(f"| {week} | {links} | {read} min | {write} min |")
    return "\n".join(rows)


def _sums(lessons: list[Lesson], exercises: list[Exercise]) -> str:
    rows = ["| lesson | reading | exercises | points |", "|---|--:|--:|--:|"]
    work = [_minutes(lesson, exercises) for lesson in lessons]
    for lesson, (read, write, points) in zip(lessons, work, strict=True):
        rows.append(f"| [{lesson.title}]({lesson.page}) | {read} min | {write} min | {points} |")
    read, write, points = (sum(column) for column in zip(*work, strict=True))
    rows.append(f"| **all** | {_hours(read)} | {_hours(write)} | {points} |")
    return "\n".join(rows)


def _hours(minutes: int) -> str:
    return f"{minutes // 60} h {minutes % 60:02} min"


def _readme_links(readme_text: str, *headings: str) -> str:
    """Return links to those of the README's sections that are there."""
    known = re.findall(r"^## (.+)$", readme_text, re.MULTILINE)
    return " · ".join(
        f"[{heading}](readme.md#{heading.lower().replace(' ', '-')})"
        for heading in headings
        if heading in known
    )
