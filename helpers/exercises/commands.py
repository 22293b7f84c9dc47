"""The command line of the exercises: learn, check, progress."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from helpers import lesson_names
from helpers.exercises import answers, catalog, copies, notebook
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED


def learn(arguments: list[str]) -> int:
    """python -m helpers learn [NN]: bring the copies in work/ up to date and open one.

    Returns: the exit status.
    """
    parser = argparse.ArgumentParser(prog="python -m helpers learn")
    parser.add_argument("number", nargs="?", default="00", metavar="NN", help="lesson to open")
    parser.add_argument("--no-open", action="store_true", help="only make or renew the copies")
    options = parser.parse_args(arguments)
    try:
        lesson = _lesson(options.number)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for line in copies.bring():
        print(line)
    if options.no_open:
        print(f"{len(_lessons())} lessons are ready in work/")
        return 0
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.root_dir=.", f"work/{lesson.name}"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container one is often root
    return subprocess.call(command, cwd=catalog.ROOT)


def check(arguments: list[str]) -> int:
    """python -m helpers check [NN | FILE ...]: check the answers in saved notebooks.

    Without arguments every lesson is looked at: its copy in work/, or the lesson itself where there
    is none. Returns: 1 if an attempted exercise fails, 2 for a wrong argument, else 0.
    """
    parser = argparse.ArgumentParser(prog="python -m helpers check")
    parser.add_argument("which", nargs="*", metavar="NN|FILE", help="lessons or notebooks")
    options = parser.parse_args(arguments)
    counts = {"all": 0, "attempted": 0, FAILED: 0}
    try:
        for path in [_notebook(which) for which in options.which] or _all():
            _check_notebook(path, counts)
    except (ValueError, RuntimeError) as error:  # a wrong argument; no process for the answers
        print(error, file=sys.stderr)
        return 2
    print(
        f"{counts['attempted']} of {counts['all']} exercises attempted, "
        f"{counts['attempted'] - counts[FAILED]} solved, {counts[FAILED]} not yet"
    )
    return 1 if counts[FAILED] else 0


def progress(arguments: list[str]) -> int:
    """python -m helpers progress: print the table of what is done; return the exit status."""
    argparse.ArgumentParser(prog="python -m helpers progress").parse_args(arguments)
    notebook.progress()
    return 0


def _check_notebook(path: Path, counts: dict[str, int]) -> None:
    number = lesson_names.number_of(path)
    asked = [
        exercise for exercise in catalog.exercises().values() if number in (exercise.lesson, None)
    ]
    found = answers.in_notebook(path, {exercise.id: exercise.function for exercise in asked})
    for exercise in asked:
        counts["all"] += 1
        if exercise.id not in found:
            continue
        report = exercise.check(found[exercise.id], notebook.PROCESS)
        if report.state == NOT_ATTEMPTED:
            continue
        counts["attempted"] += 1
        counts[FAILED] += report.state == FAILED
        print(notebook.as_text(exercise, report), end="\n\n", flush=True)
        notebook.recorded("checked", exercise.id, report.state)


def _lessons() -> dict[str, Path]:
    return lesson_names.sort_out(copies.LESSONS)[0]


def _lesson(number: str) -> Path:
    """Return a lesson's file; ValueError naming those that exist."""
    known, meant = _lessons(), lesson_names.in_full(number)
    if meant not in known:
        raise ValueError(f"no lesson {number!r}; these exist: {' '.join(known)}")
    return known[meant]


def _all() -> list[Path]:
    return [_mine(path) for path in _lessons().values()]


def _mine(lesson: Path) -> Path:
    """Return the learner's copy of a lesson, or the lesson where there is none."""
    copy = copies.WORK / lesson.name
    return copy if copy.exists() else lesson


def _notebook(which: str) -> Path:
    """Return the notebook that an argument names: a file, or a lesson by its number."""
    if lesson_names.in_full(which) in _lessons():
        return _mine(_lesson(which))
    path = Path(which)
    if path.is_file():
        return path
    raise ValueError(
        f"{which!r} is no notebook and no lesson; the lessons are {' '.join(_lessons())}"
    )
