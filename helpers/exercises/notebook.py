"""What a learner calls in a notebook: check, hint, solution, progress. They never stop."""

import atexit
import sys
import textwrap
from collections.abc import Callable
from typing import Any

from helpers.exercises import answers, catalog
from helpers.exercises.exercise import (
    FAILED,
    FAILS,
    NOT_ATTEMPTED,
    PASSED,
    Exercise,
    Report,
)
from helpers.exercises.process import Process
from helpers.exercises.record import Progress, table

WIDTH = 92
# one process for all checks of a notebook; it starts with the first check of a written answer
PROCESS = Process()
atexit.register(PROCESS.stop)


def check(exercise: str, function: Callable) -> None:
    """Print whether an answer has what the exercise asks for; see helpers.exercises.check."""
    if (asked := _found(exercise)) is None:
        return
    try:
        report = asked.check(answers.of_function(function, asked.function), PROCESS)
    except answers.NotAnAnswer as error:
        report = Report(FAILED, problem=str(error))
    except RuntimeError as error:  # no process could be started: not the answer's fault
        _say(f"{asked.id} {asked.title}: not checked, since {error}")
        return
    _say(as_text(asked, report))
    if report.state != NOT_ATTEMPTED:
        recorded("checked", asked.id, report.state)


def as_text(exercise: Exercise, report: Report) -> str:
    """Return a report as lines to read: one for each property, and what to do next."""
    title = f"{exercise.id} {exercise.title}"
    if report.state == NOT_ATTEMPTED:
        return f"{title}: not attempted. Write {exercise.function} in the cell above."
    lines = [f"{title}: {'solved' if report.state == PASSED else 'not yet'}"]
    if report.problem:
        lines += _wrapped(report.problem, "  ")
    said = set()
    for line in report.lines:
        lines += _wrapped(f"{line.state:<11}  {line.text}", "  ", 13)
        if line.state == FAILS:
            reason = f"{line.fault} ({line.seen})" if line.seen else line.fault
            lines += _wrapped("the same" if line.fault in said else reason, " " * 15)
            said.add(line.fault)
    if report.state == PASSED:
        lines.append(f"  all {len(report.lines)} hold: {exercise.worth}")
    else:
        held = f"{report.holding} of {len(report.lines)} hold. " if report.lines else ""
        lines.append(f'  {held}For a step of help: hint("{exercise.id}")')
    return "\n".join(lines)


def aside(text: str) -> str:
    """Return a remark as lines to read below a report."""
    return "\n".join(_wrapped(text, "  ", 2))


def hint(exercise: str) -> None:
    """Print the next step of an exercise's hints; see helpers.exercises.hint."""
    if (asked := _found(exercise)) is None:
        return
    number = recorded("next_hint", asked.id, len(asked.hints)) or len(asked.hints)
    for step, text in enumerate(asked.hints[:number], start=1):
        _say("\n".join(_wrapped(f"{step} of {len(asked.hints)}: {text}", "", 8)))
    if number == len(asked.hints):
        _say(f'That was the last one. solution("{asked.id}") shows an answer.')


def solution(exercise: str) -> None:
    """Print a right answer on the second call; see helpers.exercises.solution."""
    if (asked := _found(exercise)) is None:
        return
    if recorded("asked_before", asked.id) is False:
        _say(
            f"This shows a whole answer to {asked.id} {asked.title}. "
            "Call it once more if you want to see it."
        )
        return
    try:
        _say(catalog.solution_text(asked).rstrip("\n"))
    except OSError:
        _say(f"The answers are missing here: they belong in {catalog.SOLUTIONS}.")


def progress() -> None:
    """Print the table of what is done; see helpers.exercises.progress."""
    _say(table(catalog.exercises().values(), recorded("read") or {}))


def _found(exercise: str) -> Exercise | None:
    """Return the exercise of an id; None, and a printed line, where there is none."""
    try:
        return catalog.find(exercise)
    except ValueError as error:
        _say(str(error))
        return None


def recorded(what: str, *facts: str | int) -> Any:
    """Return what the record says to a method of it; None, and a printed line, if it cannot be."""
    try:
        return getattr(Progress(), what)(*facts)
    except OSError as error:
        _say(f"This could not be recorded: {error}")
        return None


def _say(text: str) -> None:
    """Print a text; signs that cannot be shown here, or anywhere, are escaped."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    print(text.encode(encoding, "backslashreplace").decode(encoding))


def _wrapped(text: str, indent: str, further: int = 0) -> list[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=indent,
        subsequent_indent=indent + " " * further,
        break_long_words=False,
        break_on_hyphens=False,
    )
