"""The command line of handing in and grading: submit, verify, grade."""

import argparse
import math
import sys
import time
from pathlib import Path

from helpers.exercises import catalog, copies, notebook
from helpers.exercises.exercise import FAILED, PASSED
from helpers.grading import batch, handing_in, reports, sandbox, submission
from helpers.grading.gradebook import Gradebook


def submit(arguments: list[str]) -> int:
    """python -m helpers submit [--to FILE]: gather the answers into one file; exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers submit")
    parser.add_argument("--to", type=Path, default=copies.WORK / "submission.json", metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        found, versions = handing_in.gather(copies.WORK)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    if not found:
        print(
            "there is no answer in work/ yet: `make learn` puts your copies there", file=sys.stderr
        )
        return 2
    checked = handing_in.check(found, notebook.PROCESS)
    handing_in.write(options.to, handing_in.document(found, versions, checked))
    for line in handing_in.missing(found, checked):
        print(line)
    for exercise, report in checked.items():
        if report.state == FAILED:
            print(f"{exercise} is handed in, and its own check does not pass yet")
    solved = sum(report.state == PASSED for report in checked.values())
    print(f"{len(found)} answers, {solved} of them pass: {options.to}")
    return 0


def verify(arguments: list[str]) -> int:
    """python -m helpers verify FILE: check the answers in a file that is to be handed in."""
    parser = argparse.ArgumentParser(prog="python -m helpers verify")
    parser.add_argument("file", type=Path, metavar="FILE")
    path = parser.parse_args(arguments).file
    known = catalog.exercises()
    if not path.is_file():
        print(f"{path} is no file: `make submit` writes one", file=sys.stderr)
        return 2
    handed = submission.read(path, path.stem, {e.id: e.function for e in known.values()})
    if handed.problem:
        print(f"{path.name}: {handed.problem}", file=sys.stderr)
        return 2
    checked = handing_in.check(handed.answers, notebook.PROCESS)
    for exercise, report in checked.items():
        print(notebook.as_text(known[exercise], report), end="\n\n")
    solved = sum(report.state == PASSED for report in checked.values())
    print(f"{solved} of {len(checked)} answers pass")
    return 0 if solved == len(checked) else 1


def grade(arguments: list[str]) -> int:
    """python -m helpers grade FROM TO: grade all submissions of a folder; return the exit status.

    Returns: 0 if all were graded, 1 if some could not be, 2 for a wrong argument or no sandbox.
    """
    parser = argparse.ArgumentParser(prog="python -m helpers grade")
    parser.add_argument("source", type=Path, metavar="FROM", help="folder of submissions")
    parser.add_argument("target", type=Path, metavar="TO", help="folder for gradebook and pages")
    parser.add_argument("--roster", type=Path, help="CSV file with the columns file,learner")
    parser.add_argument("--gradebook", metavar="URL", help="by default TO/gradebook.db")
    parser.add_argument("--workers", type=int, help="by default one for each core")
    parser.add_argument("--cluster", metavar="TCP", help="address of a Dask scheduler")
    parser.add_argument("--own-work", action="store_true", help="your own answers: no sandbox")
    parser.add_argument("--seconds", type=float, default=math.inf, help="at most, an exercise")
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        found = submission.find(options.source, options.roster)
        if not found:
            raise ValueError(f"there are no submissions in {options.source}")
        if not options.own_work:
            sandbox.prove(batch.slot(), [options.source, options.target])
        options.target.mkdir(parents=True, exist_ok=True)
        book = Gradebook(options.gradebook or f"sqlite:///{options.target / 'gradebook.db'}")
        pool = batch.cluster(options.cluster) if options.cluster else batch.local(options.workers)
    except (ValueError, OSError, sandbox.NoSandbox) as error:
        print(error, file=sys.stderr)
        return 2
    with pool[0]:
        handed, failures, fresh = batch.grade_all(
            found, book, *pool, own=options.own_work, seconds=options.seconds
        )
    results = list(batch.current(handed, book))
    book.close()
    reports.write(results, options.target)
    print(reports.table(results))
    for failure in failures:
        print(failure)
    _say_times(fresh)
    seconds = time.monotonic() - started
    print(f"graded {len(results)} of {len(found)} submissions in {seconds:.0f} s")
    return 0 if len(results) == len(found) else 1


def _say_times(fresh: list) -> None:
    if not fresh:
        return
    starts = sorted(graded.start_seconds for graded in fresh)
    checks = sorted(graded.check_seconds for graded in fresh)
    print(
        f"{len(fresh)} graded now; of a submission's time, the middle one, "
        f"{starts[len(starts) // 2]:.1f} s were starting its sandbox and "
        f"{checks[len(checks) // 2]:.1f} s its checks"
    )
