"""What the book knows of a lesson: read from the notebook itself, so that no list can go stale."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from helpers.files import ROOT
from helpers.lesson_names import lessons_in, number_of


@dataclass(frozen=True)
class Lesson:
    """A lesson: its file, its notebook, and what its first two cells say."""

    path: Path
    notebook: NotebookNode
    title: str  # "03 · Causal attention"
    question: str  # the first paragraph under the title
    minutes: int
    needs: tuple[str, ...]  # the numbers of the lessons that it names as needed

    @property
    def number(self) -> str:
        """Its file's number."""
        return number_of(self.path)

    @property
    def name(self) -> str:
        """The title without its number."""
        return self.title.partition(" · ")[2]

    @property
    def page(self) -> str:
        """What a link to it says, seen from the page of another lesson."""
        return self.path.name


def read(path: Path) -> Lesson:
    """Return a lesson; ValueError that names what its first two cells lack."""
    notebook = nbformat.read(path, as_version=4)
    head, goals = (cell.source for cell in notebook.cells[:2])
    title = re.match(rf"# ({number_of(path)} · .+)\n+(.+)", head)
    needs = re.search(r"^\*\*You need\*\*(.+)$", goals, re.MULTILINE)
    minutes = re.search(r"^\*\*Time\*\* (\d+) minutes", goals, re.MULTILINE)
    lacks = {f"# {number_of(path)} · Title, then a question": title, "**You need** ...": needs}
    for form, found in (lacks | {"**Time** N minutes.": minutes}).items():
        if not found:
            raise ValueError(f"{path.name}: its first two cells hold no line of the form {form!r}")
    return Lesson(
        path=path,
        notebook=notebook,
        title=title[1],
        question=title[2],
        minutes=int(minutes[1]),
        needs=_linked(needs[1]),
    )


def read_all(folder: Path = ROOT / "lessons") -> list[Lesson]:
    """Return the lessons of a folder in reading order; ValueError for what is none there."""
    return [read(path) for path in lessons_in(folder).values()]


def _linked(markdown: str) -> tuple[str, ...]:
    """Return the numbers of the lessons that a text links to, each once."""
    numbers = map(number_of, re.findall(r"\]\(([^)#\s]+\.ipynb)", markdown))
    return tuple(dict.fromkeys(number for number in numbers if number))


def in_parts(lessons: list[Lesson], readme: str) -> dict[str, list[Lesson]]:
    """Return {title of a part: its lessons}, as the README's tables have them.

    Raises: ValueError naming the lessons that the README lacks.
    """
    by_file = {lesson.path.name: lesson for lesson in lessons}
    parts = {}
    for title, table in re.findall(
        r"^\*\*(Part \d: .+)\*\*\n\n((?:\|.*\n)+)", readme, re.MULTILINE
    ):
        files = re.findall(r"\]\((?:lessons/)?([^)]+)\)", table)
        parts[title] = [by_file.pop(file) for file in files if file in by_file]
    if by_file:
        raise ValueError(f"README.md, The lessons: its tables lack {', '.join(by_file)}")
    return parts
