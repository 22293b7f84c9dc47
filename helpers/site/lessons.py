"""What the book knows of a lesson: read from the notebook itself, so that no list can go stale."""

import re
from dataclasses import dataclass
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from helpers.files import ROOT


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
        """Two digits."""
        return self.path.name[:2]

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
    title = re.match(r"# (\d\d · .+)\n+(.+)", head)
    needs = re.search(r"^\*\*You need\*\*(.+)$", goals, re.MULTILINE)
    minutes = re.search(r"^\*\*Time\*\* (\d+) minutes", goals, re.MULTILINE)
    lacks = {"# NN · Title, then a question": title, "**You need** ...": needs}
    for form, found in (lacks | {"**Time** N minutes.": minutes}).items():
        if not found:
            raise ValueError(f"{path.name}: its first two cells hold no line of the form {form!r}")
    return Lesson(
        path=path,
        notebook=notebook,
        title=title[1],
        question=title[2],
        minutes=int(minutes[1]),
        needs=tuple(dict.fromkeys(re.findall(r"\]\((\d\d)_\w+\.ipynb\)", needs[1]))),
    )


def read_all(folder: Path = ROOT / "lessons") -> list[Lesson]:
    """Return the lessons of a folder in reading order."""
    return [read(path) for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))]
