"""Handing in: a learner's answers as one plain document, the same bytes for the same answers."""

import json
import threading
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from helpers.exercises import answers, catalog, copies
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, Report
from helpers.exercises.handed import gathering, saved
from helpers.exercises.handed.gathering import too_long
from helpers.exercises.handed.names import shown
from helpers.exercises.process import Process
from helpers.files import write_whole

PACKAGES = ("torch", "numpy")
LONG = 3  # seconds


def gather(work: Path) -> gathering.Gathered:
    """Return what stands in a folder of copies, whatever their names, without untouched stubs.

    Raises: ValueError if the folder cannot be read.
    """
    known = catalog.exercises().values()
    try:
        paths = saved.notebooks(work)
    except OSError as error:
        raise ValueError(f"{shown(work)} cannot be read: {error.strerror}") from None
    found = gathering.from_files(paths, {e.id: e.function for e in known})
    found.answers = {e: one for e, one in found.answers.items() if not copies.untouched(one)}
    return found


def document(
    found: dict[str, answers.Answer], versions: dict[str, str], reports: dict[str, Report]
) -> str:
    """Return the submission as text: sources, versions, and what the learner's own checks said."""
    content = {
        "format": saved.FORMAT,
        "course": "Decoder-only Transformers, built step by step",
        "answers": {exercise: answer.source for exercise, answer in found.items()},
        "lessons": versions,
        "packages": {name: version(name) for name in PACKAGES},
        "own checks": {exercise: report.state for exercise, report in reports.items()},
    }
    return json.dumps(content, indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def check(
    found: dict[str, answers.Answer], process: Process, say: Callable[[str], None] = print
) -> dict[str, Report]:
    """Return the report of each answer, by the checks of the notebook and the grader's limit.

    say: is told which answer takes long.
    """
    known = catalog.exercises()
    reports = {}
    for exercise, answer in found.items():
        if problem := too_long(answer):
            reports[exercise] = Report(FAILED, problem=problem)
        elif exercise in known:
            clock = threading.Timer(LONG, say, [f"checking {exercise} ..."])
            clock.start()
            try:
                reports[exercise] = known[exercise].check(answer, process)
            finally:
                clock.cancel()
    return reports


def missing(found: dict[str, answers.Answer], reports: dict[str, Report]) -> list[str]:
    """Return a line for each lesson begun that lacks answers, and one for all the others."""
    lacking, begun = {}, set()
    for exercise in catalog.exercises().values():
        report = reports.get(exercise.id)
        if exercise.id not in found or report is None or report.state == NOT_ATTEMPTED:
            lacking.setdefault(exercise.lesson, []).append(exercise.id)
        else:
            begun.add(exercise.lesson)
    lines = [
        f"lesson {lesson}: no answer to {', '.join(ids)}"
        for lesson, ids in lacking.items()
        if lesson in begun
    ]
    rest = [lesson for lesson in lacking if lesson not in begun]
    return [*lines, f"no answer in lessons {', '.join(rest)}"] if rest else lines


def told(found: gathering.Gathered) -> list[str]:
    """Return what a learner must know of where the answers were found.

    A line for each notebook that bears no lesson's name, and one for each exercise that was
    answered in two ways.
    """
    lessons = {path.name for path in copies.LESSONS.glob("*.ipynb")}
    others = {}
    for exercise in found.answers:
        others.setdefault(found.files[exercise], []).append(exercise)
    lines = [
        f"taken from {file}: {', '.join(ids)}"
        for file, ids in others.items()
        if file not in lessons
    ]
    return lines + [f"{e}: {remark}" for e, remark in found.remarks.items() if e in found.answers]


def write(path: Path, text: str) -> None:
    """Write the document, in a folder that need not be there yet."""
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, text)
