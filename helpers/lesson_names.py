"""What a lesson's number, its file and its exercises' ids look like: 03a, 03a_masks.ipynb, 03a.2.

A number is two digits, and behind them a letter where a lesson was split: 03, 03a, 03b, 04. So
numbers sorted as texts stand in reading order. Whatever runs the course asks here.
"""

import re
from pathlib import Path

# patterns, for what looks for them in a longer text
NUMBER = "[0-9]{2}[a-z]?"
EXERCISE = rf"{NUMBER}\.[1-9][0-9]*"

_FILE = re.compile(rf"{NUMBER}_\w+\.ipynb", re.ASCII)
_FORM = (
    "two digits, a small letter if the lesson was split, _ and a name of letters, digits and _, "
    "as in 03_masks.ipynb or 03a_masks.ipynb"
)


def number_of(path: str | Path) -> str | None:
    """Return the number that a file's name begins with, or None if it begins with none.

    The file need be no lesson: 03_masks-Copy1.ipynb is somebody's copy of lesson 03.
    """
    begins = re.match(rf"({NUMBER})_", Path(path).name)
    return begins[1] if begins else None


def in_full(text: str) -> str:
    """Return a number or an id with the zero that a person may leave out: 3a is 03a."""
    return re.sub(r"^[0-9](?![0-9])", r"0\g<0>", text)


def is_exercise(text: str) -> bool:
    """Return whether a text has the form of an exercise's id."""
    return re.fullmatch(EXERCISE, text) is not None


def lesson_of(exercise: str) -> str:
    """Return the number of an exercise's lesson: 03a for 03a.2."""
    return exercise.partition(".")[0]


def order(exercise: str) -> tuple[str, int]:
    """Return what ids are sorted by, so that they stand as 03.2, 03.10, 03a.1."""
    lesson, _, number = exercise.partition(".")
    return lesson, int(number)


def sort_out(folder: Path) -> tuple[dict[str, Path], list[str]]:
    """Return {number: file} of a folder's lessons in reading order, and what is wrong there.

    A notebook whose name no lesson may have, or whose number another one has, is no lesson. What is
    wrong has a sentence for each.
    """
    lessons, wrong = {}, []
    for path in sorted(folder.iterdir() if folder.is_dir() else ()):
        if path.suffix.lower() != ".ipynb" or path.name.startswith("."):
            continue
        number = number_of(path)
        if not _FILE.fullmatch(path.name):
            wrong.append(
                f"{path.name!r} in {folder.name}/ is no lesson's name: rename it ({_FORM}), or "
                "move it elsewhere"
            )
        elif number in lessons:
            wrong.append(
                f"{lessons[number].name} and {path.name} in {folder.name}/ have one number: give "
                "one of them another"
            )
        else:
            lessons[number] = path
    return dict(sorted(lessons.items())), wrong


def lessons_in(folder: Path) -> dict[str, Path]:
    """Return {number: file} of a folder's lessons in reading order.

    Raises: ValueError with the sentences of sort_out, if anything is wrong.
    """
    lessons, wrong = sort_out(folder)
    if wrong:
        raise ValueError("\n".join(wrong))
    return lessons
