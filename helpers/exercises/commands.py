"""The command line of the exercises: learn, check, progress."""

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from helpers import hiding, lesson_names
from helpers.counting import processors
from helpers.exercises import catalog, copies, notebook
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, Exercise
from helpers.exercises.handed import gathering, saved


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
    try:
        brought = copies.bring()
    except OSError as error:
        print(
            f"Your copies cannot be written ({error.filename}: {error.strerror}): set the variable "
            "COURSE_WORK to a folder of your own, and run this again.",
            file=sys.stderr,
        )
        return 2
    for line in brought:
        print(line)
    if options.no_open:
        print(f"{len(_lessons())} lessons are ready in {_shown(copies.WORK)}")
        return 0
    # JupyterLab shows the whole course, or, where the copies lie elsewhere, these alone
    root = catalog.ROOT if copies.WORK.is_relative_to(catalog.ROOT) else copies.WORK
    copy = (copies.WORK / lesson.name).relative_to(root).as_posix()
    command = [sys.executable, "-m", "jupyterlab", "--ServerApp.root_dir=.", copy]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        command.append("--allow-root")  # in a container one is often root
    # its kernels find the course whatever else is called helpers, and no more threads than cores
    settings = hiding.variables(processors.variables())
    return subprocess.call(command, cwd=root, env=settings)


def check(arguments: list[str]) -> int:
    """python -m helpers check [NN | FILE ...]: check the answers in saved notebooks.

    An answer counts here as it does when it is handed in (gathering.py), whatever its notebook in
    work/ is called. Of a lesson of which work/ has nothing the lesson's own file is looked at.
    Returns: 2 for a wrong argument, 1 if an attempted exercise fails or a file was left out, or 0.
    """
    parser = argparse.ArgumentParser(prog="python -m helpers check")
    parser.add_argument("which", nargs="*", metavar="NN|FILE", help="lessons or notebooks")
    options = parser.parse_args(arguments)
    counts = {"all": 0, "attempted": 0, FAILED: 0}
    left_out = []
    try:
        for asked, found in _gathered(options.which):
            left_out += [problem for problem in found.problems if problem not in left_out]
            for exercise in asked:
                _check(exercise, found, counts)
    except (ValueError, OSError, RuntimeError) as error:
        # a wrong argument, a folder that cannot be read, no process for the answers
        print(error, file=sys.stderr)
        return 2
    for problem in left_out:
        print(problem, file=sys.stderr)
    print(
        f"{counts['attempted']} of {counts['all']} exercises attempted, "
        f"{counts['attempted'] - counts[FAILED]} solved, {counts[FAILED]} not yet"
    )
    return 1 if counts[FAILED] or left_out else 0


def progress(arguments: list[str]) -> int:
    """python -m helpers progress: print the table of what is done; return the exit status."""
    argparse.ArgumentParser(prog="python -m helpers progress").parse_args(arguments)
    notebook.progress()
    return 0


def _gathered(which: list[str]) -> Iterator[tuple[list[Exercise], gathering.Gathered]]:
    """Yield the exercises that are asked for, with the answers of where they are looked for."""
    known = catalog.exercises()
    functions = {exercise.id: exercise.function for exercise in known.values()}
    places = [(word, _place(word)) for word in which]  # a wrong word is said before any work
    mine = gathering.from_files(saved.notebooks(copies.WORK), functions)
    begun = set().union(*mine.lessons.values())
    for number, file in places or [(number, None) for number in _lessons()]:
        if file is None:
            lesson, number = _lesson(number), lesson_names.in_full(number)
            asked = [e for e in known.values() if e.lesson == number]
            here = mine if number in begun else gathering.from_files([lesson], functions)
            yield asked, here
        else:
            here = gathering.from_files([file], functions)
            if here.problems:
                raise ValueError(here.problems[0])
            lessons = set().union(*here.lessons.values()) or set(_lessons())
            yield [e for e in known.values() if e.lesson in lessons], here


def _check(exercise: Exercise, found: gathering.Gathered, counts: dict[str, int]) -> None:
    """Check an answer, if there is one, and print what was found."""
    counts["all"] += 1
    answer = found.answers.get(exercise.id)
    if answer is None:
        return
    report = exercise.check(answer, notebook.PROCESS)
    if report.state == NOT_ATTEMPTED:
        return
    counts["attempted"] += 1
    counts[FAILED] += report.state == FAILED
    print(notebook.as_text(exercise, report))
    if remark := found.remarks.get(exercise.id):
        print(notebook.aside(remark))
    print(flush=True)
    notebook.recorded("checked", exercise.id, report.state)


def _shown(folder: Path) -> str:
    """Return a folder as it is named to a person: work/ for the one in the course."""
    inside = folder.is_relative_to(catalog.ROOT)
    return f"{folder.relative_to(catalog.ROOT)}/" if inside else str(folder)


def _lessons() -> dict[str, Path]:
    return lesson_names.sort_out(copies.LESSONS)[0]


def _lesson(number: str) -> Path:
    """Return a lesson's file; ValueError naming those that exist."""
    known, meant = _lessons(), lesson_names.in_full(number)
    if meant not in known:
        raise ValueError(f"no lesson {number!r}; these exist: {' '.join(known)}")
    return known[meant]


def _place(which: str) -> Path | None:
    """Return the file that an argument names, or None if it is a lesson's number."""
    if lesson_names.in_full(which) in _lessons():
        return None
    path = Path(which)
    if path.is_file():
        return path
    raise ValueError(
        f"{which!r} is no notebook and no lesson; the lessons are {' '.join(_lessons())}"
    )
