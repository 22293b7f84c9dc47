"""Whose submission is which: the folder of what was handed in, and the roster of a class.

A roster is a CSV file with the columns file and learner; commas, semicolons or tabs may part them.
Other columns tell under which ids other systems know a learner.
"""

import csv
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.handed.names import printable, readable, shown
from helpers.exercises.handed.saved import left_behind
from helpers.grading.names import composed, distinct
from helpers.grading.submission import ENDINGS


def find(folder: Path, roster: dict[str, str] | None = None) -> list[tuple[Path, str]]:
    """Return (path, learner) for each submission in a folder, in order of names.

    roster: see read_roster; without it a submission's name, less its ending, is the learner.
    Raises: ValueError naming what is wrong with the folder, or every two that are one learner's.
    """
    if not folder.is_dir():
        raise ValueError(f"{shown(folder)} is no folder: give the one that holds the submissions")
    found, owners = [], {}
    try:
        paths = sorted(folder.iterdir(), key=lambda path: path.name)
    except OSError as error:
        raise ValueError(f"{shown(folder)} cannot be read: {error.strerror}") from None
    for path in paths:
        if left_behind(path.name) or not _may_be_one(path):
            continue
        names = _names(path)
        known = [roster[name] for name in names if name in roster] if roster else []
        if len(set(known)) > 1:  # one with the ending of the file, one without
            raise ValueError(
                f"{printable(readable(path.name))} is in the roster for two learners, "
                f"{' and '.join(map(printable, known))}: each file is one learner's"
            )
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
    return composed(readable(path.name)), composed(_bare(path))


def left_out(folder: Path) -> list[str]:
    """Return the names of the files in a folder that are no submissions, in order."""
    names = sorted(readable(path.name) for path in folder.iterdir() if not _may_be_one(path))
    return [printable(name) for name in names if not left_behind(name)]


def _may_be_one(path: Path) -> bool:
    return path.is_dir() or path.suffix.lower() in ENDINGS


def unmatched(paths: Iterable[Path], roster: dict[str, str]) -> tuple[list[str], list[str]]:
    """Return the learners of a roster who handed nothing in, and the files it does not name.

    paths: of the submissions that were found.
    """
    found = {path: _names(path) for path in paths}
    there = {name for names in found.values() for name in names}
    # the same learner may stand there with and without the ending
    came = {who for name, who in roster.items() if name in there}
    absent = dict.fromkeys(who for who in roster.values() if who not in came)
    unknown = [path.name for path, names in found.items() if not set(names) & set(roster)]
    return [printable(who) for who in absent], [printable(readable(name)) for name in unknown]


@dataclass(frozen=True)
class People:
    """What a roster tells beside names.

    rows: for each learner the other columns, their names in small letters. titles: of columns that
    are called `title (id)`, as Canvas calls them, the whole name by the title.
    """

    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


def read_roster(path: Path) -> dict[str, str]:
    """Return {file: learner} of a roster.

    Raises: ValueError, in one sentence, also where a file is said to be two learners'.
    """
    _, rows = _rows(path)
    found: dict[str, str] = {}
    for row in rows:
        name, learner = composed(row["file"]), row["learner"]
        if found.setdefault(name, learner) != learner:
            both = " and ".join(printable(who) for who in (found[name], learner))
            raise ValueError(
                f"{printable(name)} is in the roster for two learners, {both}: each file is one "
                "learner's"
            )
    return found


def read_people(path: Path) -> People:
    """Return what else a roster tells of its people; the first row that tells it counts."""
    header, rows = _rows(path)
    people: dict[str, dict[str, str]] = {}
    for row in rows:
        own = people.setdefault(distinct(row["learner"]), {})
        for column, value in row.items():
            if value:
                own.setdefault(column, value)
    titles = {}
    for name in header:
        if match := re.fullmatch(r"(.*)\s\(\d+\)", name):
            titles[match[1]] = name
    return People(people, titles)


def _rows(path: Path) -> tuple[list[str], list[dict[str, str]]]:
    """Return the names of the columns, and each row that names a file and a learner."""
    shown = printable(str(path), 200)
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise ValueError(f"{shown} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{shown} is not in UTF-8: save it as CSV UTF-8") from None
    between = max(",;\t", key=text.partition("\n")[0].count)
    try:
        lines = list(csv.reader(text.splitlines(), delimiter=between))
        header = [name.strip() for name in lines[0]]
        names = [name.lower() for name in header]
        if not {"file", "learner"} <= set(names):
            raise ValueError
    except (IndexError, ValueError, csv.Error):
        raise ValueError(
            f"{shown} is no roster: a CSV file with the columns file,learner"
        ) from None
    rows = [dict(zip(names, map(str.strip, line), strict=False)) for line in lines[1:]]
    return header, [row for row in rows if row.get("file") and row.get("learner")]
