"""What stands in a saved notebook, or in a document of make submit: read as data, never run.

Whoever wrote the file, and whatever is in it: it is read within bounds of size and depth, and a
file that waits for a writer, a device or a folder is told from a file.
"""

import json
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

FORMAT = 1  # of a document of make submit
LARGEST = 5 * 2**20  # bytes of a stranger's file
OWN_LARGEST = 2**30
NOTEBOOK = ".ipynb"


class Unreadable(ValueError):
    """A file that is not read, with the reason in words of our own."""


class Cell(NamedTuple):
    """A code cell: the exercise whose number it bears, or None; its source; its place from 1.

    An answer of a document of make submit is a cell too; its place is 0.
    """

    exercise: str | None
    source: str
    place: int


class Saved(NamedTuple):
    """The code cells of a file, and the version of the lesson that it was copied from, or ""."""

    cells: list[Cell]
    version: str


def notebooks(folder: Path) -> list[Path]:
    """Return what bears a notebook's name in a folder, in order of names.

    What systems leave beside files (._name.ipynb) is passed over. Raises: OSError.
    """
    if not folder.is_dir():
        return []
    found = [path for path in folder.iterdir() if path.suffix.lower() == NOTEBOOK]
    return sorted((path for path in found if not left_behind(path.name)), key=lambda p: p.name)


def left_behind(name: str) -> bool:
    """Return whether a system, not a person, put a file of this name beside others."""
    return name.startswith(".") or name == "__MACOSX"


def content(file: Path, own: bool = False) -> bytes:
    """Return what is in a file.

    own: whether it is the reader's own: then a link is followed, and pictures may make it large.
    Raises: OSError, or Unreadable for what is no file, or too large.
    """
    largest = OWN_LARGEST if own else LARGEST
    more = ["O_NONBLOCK"] if own else ["O_NONBLOCK", "O_NOFOLLOW"]  # neither is there on Windows

    def careful(path: str, flags: int) -> int:
        """Open it, and wait for nobody who would write to a pipe."""
        return os.open(path, flags | sum(getattr(os, name, 0) for name in more))

    # it may have changed since it was found, so the open file is asked what it is
    with open(file, "rb", opener=careful) as stream:
        facts = os.fstat(stream.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("it is no file")
        if facts.st_size > largest:
            raise Unreadable(f"it is larger than {largest // 2**20} MB")
        return stream.read(largest)


def read(content: bytes) -> Saved:
    """Return what stands in a notebook, of this format or the one before, or in a document.

    Raises: Unreadable.
    """
    try:
        document = json.loads(content.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise Unreadable("it is no JSON document") from None
    if isinstance(document, dict):
        sheets = document.get("worksheets")  # of the format before
        if isinstance(document.get("cells"), list):
            return Saved(_cells(document["cells"]), _version(document))
        if isinstance(sheets, list):
            lists = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
            cells = [cell for cells in lists if isinstance(cells, list) for cell in cells]
            return Saved(_cells(cells), _version(document))
        if isinstance(document.get("answers"), dict):
            if document.get("format", FORMAT) != FORMAT:
                raise Unreadable("another version of the course wrote it: hand in with this one")
            pairs = document["answers"].items()
            return Saved(
                [Cell(name, _whole(text), 0) for name, text in pairs if isinstance(text, str)], ""
            )
    raise Unreadable("it is neither a notebook nor a document of make submit")


def functions(cells: Iterable[Cell]) -> dict[str, str]:
    """Return the exercises whose numbers cells bear, each with the last function defined there."""
    found = {}
    for cell in cells:
        if cell.exercise is not None:
            names = re.findall(r"^def (\w+)", cell.source, re.MULTILINE)
            found[cell.exercise] = names[-1] if names else found.get(cell.exercise, "")
    return found


def _cells(cells: list) -> list[Cell]:
    """Return the code cells, whatever else stands in the list."""
    found = []
    for place, cell in enumerate(cells, start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source", cell.get("input"))
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if not isinstance(source, str):
            continue
        metadata = cell.get("metadata")
        exercise = metadata.get("exercise") if isinstance(metadata, dict) else None
        exercise = exercise if isinstance(exercise, str) else None
        found.append(Cell(exercise, _whole(source), place))
    return found


def _whole(text: str) -> str:
    """Return a text with its own line ends, and a mark for each half of a sign.

    Half a surrogate pair is a character that JSON can name and no file can hold.
    """
    text = text.replace("\r\n", "\n")
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def _version(document: dict) -> str:
    metadata = document.get("metadata")
    course = metadata.get("course") if isinstance(metadata, dict) else None
    version = course.get("version") if isinstance(course, dict) else None
    return version if isinstance(version, str) else ""
