"""Reading what was handed in, whoever wrote it and whatever is in it. Nothing in it is run here.

A submission is a file or a folder: the JSON document of `make submit`, a saved notebook, or several
of them. It is read as data, within bounds of size and depth, and never followed elsewhere: a link
counts as nothing. Whose it is comes from its name or from a roster (folder.py), never from what is
in it.
"""

import hashlib
import json
import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.answers import Answer, Found, in_cells
from helpers.grading.names import printable, readable

FORMAT = 1
LARGEST = 5 * 2**20  # bytes of one file
ALTOGETHER = 10 * LARGEST  # bytes of one submission: reading them takes seconds, for all the others
LONGEST = 20_000  # characters of one answer
MOST = 100  # files in one folder
ENDINGS = (".json", ".ipynb")
SEVERAL = (
    "it was handed in more than once: the last cell counts, and a notebook before a .json file"
)


@dataclass(frozen=True)
class Submission:
    """What one learner handed in: answers by exercise, remarks by exercise, and a digest.

    problems: a sentence for each file that could not be read.
    """

    learner: str
    name: str
    digest: str
    answers: dict[str, Answer] = field(default_factory=dict)
    remarks: dict[str, str] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    @property
    def problem(self) -> str:
        """What could not be read, in one line, or ""."""
        more = len(self.problems) - 3
        return "; ".join(self.problems[:3]) + (f"; {more} more" if more > 0 else "")


def read(path: Path, learner: str, functions: dict[str, str]) -> Submission:
    """Read one submission; what cannot be read becomes its problem, and nothing is raised.

    functions: {exercise: name of its function}.
    """
    digest = hashlib.sha256()
    answers, by_name, several, problems, size = {}, set(), set(), [], 0
    try:
        files = files_of(path)
    except OSError as error:
        files, problems = [], [f"it cannot be read: {error.strerror}"]
    for number, file in enumerate(files, start=1):
        try:
            content = _content(file)
            digest.update(content + b"\0")
            size += len(content)
            if size > ALTOGETHER:
                raise Unreadable(f"up to here, the folder is larger than {ALTOGETHER // 2**20} MB")
            found = _answers(json.loads(content.decode("utf-8-sig")), functions)
        except (OSError, ValueError, RecursionError) as error:
            text = "it is no JSON document"
            if isinstance(error, Unreadable):
                text = str(error)
            elif isinstance(error, OSError):
                text = f"it cannot be read: {error.strerror}"
            digest.update(f"{text}\0".encode())
            # a number and not the name, which its author chose
            which = f"file {number} of {len(files)}: " if path.is_dir() else ""
            problems.append(which + text)
            continue
        several |= found.several
        for exercise, answer in found.answers.items():
            if exercise in answers:
                several.add(exercise)
                if exercise in found.by_name and exercise not in by_name:
                    continue  # the one that bears the id counts
            (by_name.add if exercise in found.by_name else by_name.discard)(exercise)
            # no more of it is kept than shows its length
            answers[exercise] = Answer(answer.source[: LONGEST + 1], answer.function)
    if not answers and not problems:
        problems = ["there is no answer in it"]
    name = printable(readable(path.name))
    remarks = dict.fromkeys(sorted(several), SEVERAL)
    return Submission(learner, name, digest.hexdigest(), answers, remarks, tuple(problems))


class Unreadable(ValueError):
    """A file that is not read, with the reason in words of our own."""


def files_of(path: Path, deep: int = 3) -> list[Path]:
    """Return the files of a submission, .json first, then in order of names.

    Links and other kinds are left out. In a folder that holds nothing but a folder, as unpacking
    leaves it, the inner one counts.
    """
    kind = path.lstat().st_mode
    if stat.S_ISREG(kind):
        return [path]
    if not stat.S_ISDIR(kind):
        return []
    found, folders = [], []
    for file in sorted(path.iterdir(), key=lambda file: file.name)[: 10 * MOST]:
        if file.suffix.lower() in ENDINGS and stat.S_ISREG(file.lstat().st_mode):
            found.append(file)
        elif stat.S_ISDIR(file.lstat().st_mode) and not file.name.startswith((".", "__")):
            folders.append(file)
    if not found and len(folders) == 1 and deep:
        return files_of(folders[0], deep - 1)
    return sorted(found, key=lambda file: file.suffix.lower() != ".json")[:MOST]


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


def _answers(document, functions: dict[str, str]) -> Found:
    """Return the answers of a parsed document, of either form."""
    if not isinstance(document, dict):
        raise Unreadable("it is neither a notebook nor a document of make submit")
    if isinstance(document.get("cells"), list):
        return in_cells(_cells(document["cells"]), functions)
    if isinstance(document.get("answers"), dict):
        if document.get("format", FORMAT) != FORMAT:
            raise Unreadable("another version of the course wrote it: hand in with this one")
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
