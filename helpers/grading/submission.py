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
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.answers import Answer, Found, in_cells

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


def find(folder: Path, roster: dict[str, str] | None = None) -> list[tuple[Path, str]]:
    """Return (path, learner) for each submission in a folder, in order of names.

    roster: see read_roster; without it a submission's name, less its ending, is the learner.
    Raises: ValueError naming what is wrong with the folder, or every two that are one learner's.
    """
    if not folder.is_dir():
        raise ValueError(f"{folder} is no folder: give the one that holds the submissions")
    found, owners = [], {}
    try:
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise ValueError(f"{folder} cannot be read: {error.strerror}") from None
    for path in paths:
        if path.name.startswith(".") or not _may_be_one(path):
            continue
        names = _names(path)
        known = [roster[name] for name in names if name in roster] if roster else []
        learner = distinct((known or [_bare(path)])[0])
        found.append((path, learner))
        owners.setdefault(learner, []).append(printable(readable(path.name)))
    twice = [f"{who}: {' and '.join(files)}" for who, files in owners.items() if len(files) > 1]
    if twice:
        raise ValueError(
            f"two submissions belong to one learner ({'; '.join(twice[:5])}): keep one of them, or "
            "give each file a learner of its own in a roster"
        )
    return found


def _bare(path: Path) -> str:
    name = readable(path.name)
    return name[: -len(path.suffix)] if path.suffix.lower() in ENDINGS else name


def _names(path: Path) -> tuple[str, str]:
    """Return the names under which a roster may know a file: with its ending, and without."""
    return _composed(readable(path.name)), _composed(_bare(path))


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


def read_roster(path: Path) -> dict[str, str]:
    """Return {file: learner} of a CSV file with the columns file and learner.

    Commas, semicolons or tabs may part them. Raises: ValueError, in one sentence.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{path} is not in UTF-8: save it as CSV UTF-8") from None
    header = text.partition("\n")[0]
    between = max(",;\t", key=header.count)
    try:
        rows = list(csv.reader(text.splitlines(), delimiter=between))
        names = [name.strip().lower() for name in rows[0]]
        file, learner = names.index("file"), names.index("learner")
    except (IndexError, ValueError, csv.Error):
        raise ValueError(f"{path} is no roster: a CSV file with the columns file,learner") from None
    whole = [row for row in rows[1:] if len(row) > max(file, learner)]
    pairs = [(row[file].strip(), row[learner].strip()) for row in whole]
    return {_composed(name): who for name, who in pairs if name and who}


def unmatched(folder: Path, roster: dict[str, str]) -> tuple[list[str], list[str]]:
    """Return the learners of a roster who handed nothing in, and the files it does not name."""
    found = {path: _names(path) for path, _ in find(folder, roster)}
    there = {name for names in found.values() for name in names}
    # the same learner may stand there with and without the ending
    came = {who for name, who in roster.items() if name in there}
    absent = dict.fromkeys(who for who in roster.values() if who not in came)
    unknown = [path.name for path, names in found.items() if not set(names) & set(roster)]
    return [printable(who) for who in absent], [printable(readable(name)) for name in unknown]


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
    answers, by_name, several, problems, size = {}, set(), set(), [], 0
    try:
        files = _files(path)
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


def _files(path: Path, deep: int = 3) -> list[Path]:
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
        return _files(folders[0], deep - 1)
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
