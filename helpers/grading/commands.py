"""The command line of handing in and grading: submit, verify, grade."""

import argparse
import math
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import Executor
from pathlib import Path
from typing import NoReturn

from sqlalchemy.engine import URL
from sqlalchemy.exc import SQLAlchemyError

from helpers.exercises import catalog, notebook
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, PASSED
from helpers.exercises.handed.gathering import REMARKS
from helpers.exercises.handed.names import printable, shown
from helpers.grading import batch, reports, sandbox, submission
from helpers.grading.exports import forms
from helpers.grading.folder import People, find, left_out, read_people, read_roster, unmatched
from helpers.grading.grade import IN_ALL, Terms
from helpers.grading.gradebook import Gradebook


class Parser(argparse.ArgumentParser):
    """Reads arguments; of a wrong one it says one line and ends with status 2."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong, and end."""
        _refuse(f"{self.prog}: {message} (--help tells more)")
        raise SystemExit(2)


def _say(text: str) -> None:
    """Print a text; what would steer a terminal is shown as a sign that stands for it."""
    for line in text.split("\n"):
        print(printable(line, len(line)), flush=True)


def _refuse(text: str) -> None:
    """Print why nothing was done, in one line."""
    print(printable(text, len(text)), file=sys.stderr)


def submit(arguments: list[str]) -> int:
    """python -m helpers submit [--to FILE]: gather the answers into one file.

    Returns: the exit status: 0, 1 if a notebook was left out, 2 if nothing was written.
    """
    # these bring the notebook format, which a grader has no use for
    from helpers.exercises import copies
    from helpers.grading import handing_in

    parser = Parser(prog="python -m helpers submit")
    parser.add_argument("--to", default=str(copies.WORK / "submission.json"), metavar="FILE")
    options = parser.parse_args(arguments)
    try:
        target = _target(options.to)
        found = handing_in.gather(copies.WORK)
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    for problem in found.problems:
        print(problem, file=sys.stderr)
    if not found.answers:
        print(
            "there is no answer in work/ yet: `make learn` puts your copies there", file=sys.stderr
        )
        return 2
    try:
        checked = handing_in.check(found.answers, notebook.PROCESS)
        handing_in.write(target, handing_in.document(found.answers, found.versions, checked))
    except RuntimeError as error:  # no process could be started
        print(error, file=sys.stderr)
        return 2
    except OSError as error:
        print(f"{shown(options.to)} cannot be written: {error.strerror}", file=sys.stderr)
        return 2
    for line in [*handing_in.missing(found.answers, checked), *handing_in.told(found)]:
        print(line)
    for exercise, report in checked.items():
        if report.state == FAILED:
            print(f"{exercise} is handed in, and its own check does not pass yet")
    solved = sum(report.state == PASSED for report in checked.values())
    place = target.relative_to(catalog.ROOT) if target.is_relative_to(catalog.ROOT) else target
    print(f"{len(found.answers)} answers, {solved} of them pass: {shown(place)}")
    return 1 if found.problems else 0


def _target(given: str) -> Path:
    """Return where a file named on the command line is to be written; ValueError if it cannot."""
    path = Path(given).resolve()
    if not given or path.is_dir():
        what = "names no file" if not given else f"{shown(given)} is a folder"
        raise ValueError(f"--to {what}: name a file, such as --to work/submission.json")
    if path.exists() and not path.is_file():  # a device or a pipe: it would be replaced
        raise ValueError(f"--to {shown(given)} is a device or a pipe: name a file")
    return path


def verify(arguments: list[str]) -> int:
    """python -m helpers verify FILE: check the answers in what is to be handed in; exit status.

    Returns: 0 if it can be handed in, whatever passes; 2 if it cannot be read.
    """
    from helpers.grading import handing_in

    parser = Parser(prog="python -m helpers verify")
    parser.add_argument("file", type=Path, metavar="FILE", help="or a folder of notebooks")
    path = parser.parse_args(arguments).file
    known = catalog.exercises()
    if not path.exists():
        print(
            f"there is no {shown(path)}: `make submit` writes work/submission.json", file=sys.stderr
        )
        return 2
    handed = submission.read(path, path.stem, {e.id: e.function for e in known.values()})
    if handed.problem:
        print(f"{handed.name}: {handed.problem}", file=sys.stderr)
    if not handed.answers:
        return 2
    try:
        checked = handing_in.check(handed.answers, notebook.PROCESS)
    except RuntimeError as error:  # no process could be started
        print(error, file=sys.stderr)
        return 2
    checked = {name: report for name, report in checked.items() if report.state != NOT_ATTEMPTED}
    for exercise, report in checked.items():
        print(notebook.as_text(known[exercise], report))
        if remark := handed.remarks.get(exercise):
            print(notebook.aside(remark))
        print()
    solved = sum(report.state == PASSED for report in checked.values())
    print(f"{shown(path)} can be handed in; {solved} of {len(checked)} answers pass")
    return 0


def grade(arguments: list[str]) -> int:
    """python -m helpers grade FROM TO: grade all submissions of a folder; return the exit status.

    Returns: 0 if all were graded, 1 if some could not be, 2 for a wrong argument or no sandbox.
    """
    parser = Parser(prog="python -m helpers grade")
    parser.add_argument("source", type=Path, metavar="FROM", help="folder of submissions")
    parser.add_argument("target", type=Path, metavar="TO", help="folder for gradebook and pages")
    parser.add_argument(
        "--what", type=_asked, default=(), metavar="03,04.1", help="only these lessons, exercises"
    )
    parser.add_argument("--roster", type=Path, help="CSV file with the columns file,learner")
    parser.add_argument(
        "--for",
        dest="forms",
        action="append",
        default=[],
        choices=forms.FORMS,
        help="write the grades for this system too",
    )
    parser.add_argument(
        "--items", choices=forms.ITEMS, default="exercises", help="what is a column there"
    )
    parser.add_argument(
        "--gradebook", metavar="URL", help="by default TO/gradebook.db; or postgresql+psycopg://..."
    )
    parser.add_argument("--workers", type=_above_zero(int), help="by default one for each core")
    parser.add_argument("--cluster", metavar="TCP", help="address of a Dask scheduler")
    parser.add_argument("--own-work", action="store_true", help="your own answers: no sandbox")
    parser.add_argument(
        "--seconds", type=_above_zero(float), default=math.inf, help="at most, an exercise"
    )
    parser.add_argument(
        "--submission-seconds",
        type=_above_zero(float),
        default=IN_ALL,
        help=f"at most, a submission; by default {IN_ALL:g}",
    )
    options = parser.parse_args(arguments)
    started = time.monotonic()
    try:
        roster = read_roster(options.roster) if options.roster else None
        people = read_people(options.roster) if options.roster else People()
        if roster is None and {"canvas", "moodle"} & {*options.forms}:
            raise ValueError(
                "Canvas and Moodle know people by ids: add a --roster with the columns file, "
                f"learner and one of {', '.join((*forms.CANVAS_IDS, *forms.MOODLE_IDS))}"
            )
        found = find(options.source, roster)
        if not found:
            raise ValueError(f"there are no submissions in {shown(options.source)}")
        _say_left_out(options.source, options.roster)
        if roster is not None:
            _say_unmatched(found, roster)
        _try_target(options.target, options.source)
        file = URL.create("sqlite", database=str(options.target / "gradebook.db"))
        book = Gradebook(options.gradebook or file)
        pool = _pool(options)
    except (ValueError, batch.OtherVersion, sandbox.NoSandbox) as error:
        _refuse(str(error))
        return 2
    try:
        limits = options.seconds, options.submission_seconds
        terms = Terms(book.secret(), options.own_work, *limits)
        with pool[0]:
            handed, failures, fresh = batch.grade_all(
                found, book, *pool, terms, options.what, options.target / "read.json", _say
            )
        results = list(batch.current(handed, book, terms, options.what))
        reports.write(results, options.target, options.what)
        told = forms.stale(options.forms, options.target)
        for form in options.forms:
            columns = forms.items(options.what, options.items)
            told += forms.write(form, results, options.target, people, columns)
    except SQLAlchemyError as error:
        _refuse(f"the gradebook is lost: {str(error).splitlines()[0]}")
        return 2
    except OSError as error:
        _refuse(f"{shown(options.target)} cannot be written: {error.strerror}")
        return 2
    finally:
        book.close()
    for one in handed:
        if one.problem:
            _say(f"not read, from {one.name}: {one.problem}")
    _say("\n".join([reports.table(results), *_remarks(results), *told, *failures]))
    _say_times(fresh)
    seconds = time.monotonic() - started
    _say(f"graded {len(results)} of {len(found)} submissions in {seconds:.0f} s")
    return 0 if len(results) == len(found) else 1


def _above_zero(kind: type) -> Callable[[str], float]:
    """Return what reads a number above zero from an argument."""

    def read(text: str) -> float:
        try:
            number = kind(text)
        except ValueError:
            number = 0
        if not number > 0:
            raise argparse.ArgumentTypeError(f"give a number above zero, not {text!r}")
        return number

    return read


def _asked(text: str) -> tuple[str, ...]:
    """Read which lessons and exercises are to be graded."""
    words = tuple(word.strip() for word in text.split(",") if word.strip())
    try:
        catalog.select(words)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return words


def _say_unmatched(found: list[tuple[Path, str]], roster: dict[str, str]) -> None:
    for what, names in zip(
        ("in the roster, and nothing handed in", "handed in, and not in the roster"),
        unmatched((path for path, _ in found), roster),
        strict=True,
    ):
        if names:
            _say(f"{what}: {', '.join(names)}")


def _remarks(results: reports.Results) -> list[str]:
    """Return a line for each answer of which another cell may have been meant."""
    return [
        f"{one.learner}, {grade.exercise}: {said[2]}"
        for one, grades in results
        for grade in grades
        for said in grade.feedback
        if any(words in said[2] for words in REMARKS)
    ]


def _say_left_out(folder: Path, roster: Path | None) -> None:
    names = [name for name in left_out(folder) if not roster or name != roster.name]
    if names:
        more = f" and {len(names) - 5} more" if len(names) > 5 else ""
        what = "a submission is a .json file, a notebook or a folder of them"
        _say(f"not graded: {', '.join(names[:5])}{more}; {what}")


def _try_target(target: Path, source: Path) -> None:
    """Make the folder of the results; ValueError if it cannot be, or is one of the submissions."""
    inside = target.resolve()
    if source.resolve() in (inside, *inside.parents):
        raise ValueError(
            f"{shown(target)} lies in the folder of the submissions: choose one outside"
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=target):
            pass
    except OSError as error:
        raise ValueError(f"{shown(target)} cannot be written: {error.strerror}") from None


def _pool(options: argparse.Namespace) -> tuple[Executor, int]:
    if options.cluster:
        return batch.cluster(options.cluster, options.own_work)
    batch.make_ready(options.own_work, hidden=[options.source, options.target])
    if not options.own_work:
        _say("the sandbox holds")
    return batch.local(options.workers)


def _say_times(fresh: list) -> None:
    if not fresh:
        return
    starts = sorted(graded.start_seconds for graded in fresh)
    checks = sorted(graded.check_seconds for graded in fresh)
    _say(
        f"{len(fresh)} graded now; half of them took less than {starts[len(starts) // 2]:.1f} s to "
        f"start and {checks[len(checks) // 2]:.1f} s to check"
    )
