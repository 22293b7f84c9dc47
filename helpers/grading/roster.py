"""A roster: which file is whose, and under which ids other systems know the people of a class."""

import csv
import re
from dataclasses import dataclass, field
from pathlib import Path

from helpers.exercises.handed.names import printable
from helpers.grading.names import composed, distinct


@dataclass(frozen=True)
class People:
    """What a roster tells beside names.

    rows: for each learner the other columns, their names in small letters. titles: of columns that
    are called `title (id)`, as Canvas calls them, the whole name by the title.
    """

    rows: dict[str, dict[str, str]] = field(default_factory=dict)
    titles: dict[str, str] = field(default_factory=dict)


def read_roster(path: Path) -> dict[str, str]:
    """Return {file: learner} of a CSV file with the columns file and learner.

    Commas, semicolons or tabs may part them. Raises: ValueError, in one sentence, also where a file
    is said to be two learners'.
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
