"""Reading what was handed in, whoever wrote it and whatever is in it. Nothing in it is run here.

A submission is a file or a folder: the JSON document of `make submit`, a saved notebook, or several
of them. It is read as data, within bounds of size and depth, and never followed elsewhere: a link
counts as nothing. Whose it is comes from its name or from a roster, never from what is in it.
"""

import csv
import hashlib
import json
import os
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.answers import Answer, in_cells

FORMAT = 1
LARGEST = 5 * 2**20  # bytes of one file
ALTOGETHER = 10 * LARGEST  # bytes of one submission: reading them takes seconds, for all the others
LONGEST = 20_000  # characters of one answer
MOST = 100  # files in one folder
ENDINGS = (".json", ".ipynb")


@dataclass(frozen=True)
class Submission:
    """What one learner handed in: answers by exercise, remarks by exercise, and a digest.

    problem: why nothing at all could be read, or "".
    """

    learner: str
    name: str
    digest: str
    answers: dict[str, Answer] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    problem: str = ""


def find(folder: Path, roster: Path | None = None) -> list[tuple[Path, str]]:
    """Return (path, learner) for each submission in a folder, in order of names.

    roster: a CSV file with the columns file and learner; without it a submission's name, less its
    ending, is the learner. Raises: ValueError naming what is wrong with the folder or the roster.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: give the one that holds the submissions")
    learners = _roster(roster) if roster else {}
    found = []
    for path in sorted(folder.iterdir(), key=lambda path: path.name):
        if path.name.startswith(".") or not _may_be_one(path):
            continue
        whole, name = readable(path.name), readable(path.name)
        if path.suffix.lower() in ENDINGS:
            name = whole[: -len(path.suffix)]
        learner = learners.get(_composed(whole)) or learners.get(_composed(name)) or name
        found.append((path, distinct(learner)))
    counts = Counter(learner for _, learner in found)
    twice = [learner for learner, number in counts.items() if number > 1]
    if twice:
        raise ValueError(f"two submissions belong to {min(twice)}: keep one, or name a roster")
    return found


def left_out(folder: Path) -> list[str]:
    """Return the names of the files in a folder that are no submissions, in order."""
    names = sorted(readable(path.name) for path in folder.iterdir() if not _may_be_one(path))
    return [printable(name) for name in names if not name.startswith(".")]


def _may_be_one(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() in ENDINGS


def readable(name: str) -> str:
    """Return a file's name; bytes in it that are no text, of another system, as their numbers."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def _composed(name: str) -> str:
    """Return a name with each accent in one sign with its letter: systems differ in this."""
    return unicodedata.normalize("NFC", name)


def _roster(path: Path) -> dict[str, str]:
    try:
        with open(path, encoding="utf-8-sig", newline="") as file:
            rows = csv.DictReader(file)
            if not {"file", "learner"} <= set(rows.fieldnames or ()):
                raise KeyError
            return {_composed(row["file"].strip()): row["learner"].strip() for row in rows}
    except (OSError, KeyError, AttributeError, UnicodeDecodeError, csv.Error):
        raise ValueError(f"{path} is no roster: a CSV file with the columns file,learner") from None


def printable(text: str, length: int = 80) -> str:
    """Return a text without anything that steers a terminal, and not too long."""
    kept = (sign if _shows(sign) else "\N{REPLACEMENT CHARACTER}" for sign in text[:length])
    return "".join(kept)


def distinct(name: str) -> str:
    """Return a printable name; two different names stay different."""
    shown = printable(name)
    if shown == name:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{shown[:70]} {digest[:16]}"


def _shows(sign: str) -> bool:
    return unicodedata.category(sign)[0] not in "CZ" or sign == " "


def read(path: Path, learner: str, functions: dict[str, str]) -> Submission:
    """Read one submission; what cannot be read becomes its problem, and nothing is raised.

    functions: {exercise: name of its function}.
    """
    digest = hashlib.sha256()
    answers, remarks, problems, size = {}, {}, [], 0
    try:
        files = _files(path)
    except OSError as error:
        files, problems = [], [f"it cannot be read ({type(error).__name__})"]
    for file in files:
        name = printable(readable(file.name))
        try:
            content = _content(file)
            digest.update(content + b"\0")
            size += len(content)
            if size > ALTOGETHER:
                raise Unreadable(f"up to here, the folder is larger than {ALTOGETHER // 2**20} MB")
            found, said = _answers(json.loads(content.decode("utf-8-sig")), functions)
        except (OSError, ValueError, RecursionError) as error:
            text = str(error) if isinstance(error, Unreadable) else "it is no JSON document"
            digest.update(f"{text}\0".encode())
            problems.append(f"{name}: {text}" if path.is_dir() else text)
            continue
        for exercise in found.keys() & answers.keys():
            said[exercise] = "it was handed in more than once: the last one counts"
        for exercise, answer in found.items():  # no more of it is kept than shows its length
            answers[exercise] = Answer(answer.source[: LONGEST + 1], answer.function)
        remarks.update(said)
    if not answers and not problems:
        problems = ["there is no answer in it"]
    problem = "; ".join(problems[:3]) if not answers else ""
    return Submission(
        learner, printable(readable(path.name)), digest.hexdigest(), answers, remarks, problem
    )


class Unreadable(ValueError):
    """A file that is not read, with the reason in words of our own."""


def _files(path: Path) -> list[Path]:
    """Return the files of a submission in order of names; links and other kinds are left out."""
    kind = path.lstat().st_mode
    if stat.S_ISREG(kind):
        return [path]
    if not stat.S_ISDIR(kind):
        return []
    found = []
    for file in sorted(path.iterdir(), key=lambda file: file.name)[: 10 * MOST]:
        if file.suffix.lower() in ENDINGS and stat.S_ISREG(file.lstat().st_mode):
            found.append(file)
    return found[:MOST]


def _content(file: Path) -> bytes:
    """Return what is in a file, if it still is one: it may have changed since it was found."""
    with open(file, "rb", opener=_careful) as stream:
        facts = os.fstat(stream.fileno())
        if not stat.S_ISREG(facts.st_mode):
            raise Unreadable("it is no file")
        if facts.st_size > LARGEST:
            raise Unreadable(f"it is larger than {LARGEST // 2**20} MB")
        return stream.read(LARGEST)


def _careful(path: str, flags: int) -> int:
    """Open a file, but follow no link and wait for nobody who would write to a pipe."""
    more = (getattr(os, name, 0) for name in ("O_NOFOLLOW", "O_NONBLOCK"))  # not on Windows
    return os.open(path, flags | sum(more))


def too_long(answer: Answer) -> str:
    """Return why an answer is not run at all, or ""."""
    if len(answer.source) <= LONGEST:
        return ""
    return f"the answer is longer than {LONGEST:,} characters"


def _answers(document, functions: dict[str, str]) -> tuple[dict[str, Answer], dict[str, str]]:
    """Return the answers and remarks of a parsed document, of either form."""
    if not isinstance(document, dict):
        raise Unreadable("it is neither a notebook nor a document of make submit")
    if isinstance(document.get("cells"), list):
        return in_cells(_cells(document["cells"]), functions)
    if isinstance(document.get("answers"), dict):
        pairs = document["answers"].items()
        return in_cells(
            ((exercise, entry) for exercise, entry in pairs if isinstance(entry, str)), functions
        )
    raise Unreadable("it is neither a notebook nor a document of make submit")


def _cells(cells: list) -> Iterable[tuple[str | None, str]]:
    """Yield (exercise or None, source) of the code cells, whatever else stands in the list."""
    for cell in cells:
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        source = cell.get("source")
        if isinstance(source, list):
            source = "".join(line for line in source if isinstance(line, str))
        if not isinstance(source, str):
            continue
        metadata = cell.get("metadata")
        exercise = metadata.get("exercise") if isinstance(metadata, dict) else None
        yield (exercise if isinstance(exercise, str) else None), source.replace("\r\n", "\n")
