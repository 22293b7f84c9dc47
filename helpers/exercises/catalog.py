"""All exercises of the course by their id, in order."""

import difflib
from collections.abc import Iterable

from helpers.exercises.answers import a_or_an
from helpers.exercises.checks import (
    lesson_00,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
    lesson_10,
    lesson_11,
    lesson_12,
    lesson_13,
    lesson_14,
    lesson_15,
    lesson_16,
    lesson_17,
    lesson_18,
    lesson_19,
    lesson_20,
    lesson_21,
    lesson_22,
    lesson_24a,
    lesson_24b,
    lesson_25,
)
from helpers.exercises.exercise import Exercise
from helpers.files import ROOT
from helpers.lesson_names import in_full

SOLUTIONS = ROOT / "tests" / "solutions"
LESSONS = (
    lesson_00,
    lesson_01,
    lesson_02,
    lesson_03,
    lesson_04,
    lesson_05,
    lesson_06,
    lesson_07,
    lesson_08,
    lesson_09,
    lesson_10,
    lesson_11,
    lesson_12,
    lesson_13,
    lesson_14,
    lesson_15,
    lesson_16,
    lesson_17,
    lesson_18,
    lesson_19,
    lesson_20,
    lesson_21,
    lesson_22,
    lesson_24a,
    lesson_24b,
    lesson_25,
)


def exercises() -> dict[str, Exercise]:
    """Return {id: exercise} in the order of lessons and ids."""
    return {exercise.id: exercise for lesson in LESSONS for exercise in lesson.EXERCISES}


def find(exercise: str) -> Exercise:
    """Return the exercise of an id such as "03.2".

    Raises: ValueError that names the nearest ids, for one that does not exist.
    """
    known = exercises()
    if type(exercise) is str and exercise in known:
        return known[exercise]
    first = next(iter(known))
    if type(exercise) is float and (meant := in_full(f"{exercise:.1f}")) in known:
        raise ValueError(f'write the number in quotes: "{meant}" ({known[meant].title})')
    if type(exercise) is not str:
        raise ValueError(
            f'an exercise is named by a text such as "{first}", which comes first, and '
            f"{a_or_an(type(exercise).__name__)} was given"
        )
    meant = in_full(exercise)
    near = difflib.get_close_matches(exercise[:40], known, n=3, cutoff=0.5)
    near = [meant] if meant in known else near
    names = [f'"{name}" ({known[name].title})' for name in near]
    tail = f"did you mean {' or '.join(names)}?" if names else f'the first is "{first}"'
    raise ValueError(f"there is no exercise {exercise[:40]!r}: {tail}")


def select(words: Iterable[str]) -> dict[str, Exercise]:
    """Return {id: exercise} of lessons such as "03" and exercises such as "03.2"; all for none.

    Raises: ValueError, naming what there is, for a word that is neither.
    """
    known, words = exercises(), list(words)
    lessons = list(dict.fromkeys(exercise.lesson for exercise in known.values()))
    for word in words:
        if word not in known and word not in lessons:
            raise ValueError(
                f"{word[:40]!r} is no lesson and no exercise: give numbers such as 03 or 03.2; the "
                f"lessons are {lessons[0]} to {lessons[-1]}"
            )
    return {
        id: exercise
        for id, exercise in known.items()
        if not words or id in words or exercise.lesson in words
    }


def solution_text(exercise: Exercise) -> str:
    """Return the text of the reference answer."""
    return (SOLUTIONS / f"{exercise.stem}.py").read_text(encoding="utf-8")
