"""All exercises of the course by their id, in order."""

import difflib
from pathlib import Path

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
)
from helpers.exercises.exercise import Exercise

ROOT = Path(__file__).resolve().parent.parent.parent
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
)


def exercises() -> dict[str, Exercise]:
    """Return {id: exercise} in the order of lessons and ids."""
    return {exercise.id: exercise for lesson in LESSONS for exercise in lesson.EXERCISES}


def find(exercise: str) -> Exercise:
    """Return the exercise of an id such as "03.2".

    Raises: ValueError that names the nearest ids, for one that does not exist.
    """
    known = exercises()
    first = next(iter(known))
    if type(exercise) not in (str, float):
        noun = type(exercise).__name__
        raise ValueError(
            f'an exercise is named by a text such as "{first}", and '
            f"{'an' if noun[0].lower() in 'aeiou' else 'a'} {noun} was given"
        )
    if exercise in known:
        return known[exercise]
    given = f"{exercise!r:.40}" if isinstance(exercise, str) else f"{exercise:.4g}"
    near = difflib.get_close_matches(given.strip("'\""), known, n=3, cutoff=0.5)
    names = [f'"{name}" ({known[name].title})' for name in near]
    tail = f"did you mean {' or '.join(names)}?" if names else f"the first is {first}"
    raise ValueError(f"there is no exercise {given}: {tail}")


def solution_text(exercise: Exercise) -> str:
    """Return the text of the reference answer."""
    name = f"{exercise.id.replace('.', '_')}_{exercise.function}.py"
    return (SOLUTIONS / name).read_text(encoding="utf-8")
