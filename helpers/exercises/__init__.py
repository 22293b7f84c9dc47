"""Exercises that check themselves: check, hint, solution and progress, for notebooks.

Each function fetches its code only when it is called: the worker, which runs a learner's answer in
a process of its own, is a module of this package and must not load the right answers with it.
"""

from collections.abc import Callable


def check(exercise: str, function: Callable) -> None:
    """Print, one line a property, whether an answer has what exercise NN.n asks for.

    An untouched stub is "not attempted". Whatever the answer does, the notebook goes on.
    """
    from helpers.exercises import notebook

    notebook.check(exercise, function)


def hint(exercise: str) -> None:
    """Print one more step of help: a nudge, then a property to test, then nearly the code."""
    from helpers.exercises import notebook

    notebook.hint(exercise)


def solution(exercise: str) -> None:
    """Print a right answer, on the second call."""
    from helpers.exercises import notebook

    notebook.solution(exercise)


def progress() -> None:
    """Print a table by lesson: exercises, tried, solved, points."""
    from helpers.exercises import notebook

    notebook.progress()
