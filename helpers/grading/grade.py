"""Grading one submission: its answers run in a worker, the verdict is reached here."""

import hashlib
import math
import time
from collections.abc import Iterable
from dataclasses import dataclass

import torch

from helpers.exercises import catalog
from helpers.exercises.exercise import FAILED, NOT_ATTEMPTED, PASSED, Exercise, Report
from helpers.exercises.process import Process
from helpers.grading import page_words, sandbox, submission
from helpers.grading.gradebook import Grade, seed

MISSING = "missing"
IN_ALL = 300.0  # seconds of one submission; right answers to all exercises take about 30
TIME_IS_UP = "not run: the time for the whole submission was used up"


@dataclass(frozen=True)
class Graded:
    """A graded submission, and the seconds that starting the worker and the checks took."""

    learner: str
    name: str
    digest: str
    grades: list[Grade]
    start_seconds: float = 0.0
    check_seconds: float = 0.0


def checks_version() -> str:
    """Return what tells one version of the checks from another: a hash of their code."""
    digest = hashlib.sha256()
    helpers = catalog.ROOT / "helpers"
    for path in sorted(helpers.rglob("*.py")):
        if path.relative_to(helpers).parts[0] not in ("grading", "site"):
            digest.update(path.read_bytes().replace(b"\r\n", b"\n"))
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class Terms:
    """How a batch is graded: the gradebook's secret, and limits.

    own: it is one's own work, so no sandbox is needed. seconds: a time limit for each exercise,
    where it is shorter than the exercise's own. in_all: a time limit for a submission.
    """

    secret: str
    own: bool = False
    seconds: float = math.inf
    in_all: float = IN_ALL

    def version(self) -> str:
        """Return the version of the checks with these limits: other terms, other grades."""
        own = "-own" if self.own else ""
        seconds = f"-{self.seconds:g}s" if math.isfinite(self.seconds) else ""
        return f"{checks_version()}{own}{seconds}-{self.in_all:g}s-in-all"


def grade(
    handed: submission.Submission, terms: Terms, slot: int = 0, asked: Iterable[str] = ()
) -> Graded:
    """Grade a submission.

    slot: the number of the grader's worker; each has a sandbox user of its own. asked: the
    exercises that are graded, all of them for none. Of the submission's time each takes its whole
    seconds: so what is quick costs nothing, however busy the machine is.
    """
    torch.set_num_threads(1)
    process = Process() if terms.own else sandbox.SandboxProcess(slot)
    started = time.perf_counter()
    grades, used = [], 0
    try:
        for exercise in catalog.select(asked).values():
            began = time.monotonic()
            grades.append(_grade_exercise(exercise, handed, process, terms, used >= terms.in_all))
            used += int(time.monotonic() - began)
    finally:
        process.stop()
    return Graded(
        handed.learner,
        handed.name,
        handed.digest,
        grades,
        process.start_seconds,
        time.perf_counter() - started - process.start_seconds,
    )


def _grade_exercise(
    exercise: Exercise,
    handed: submission.Submission,
    process: Process,
    terms: Terms,
    time_is_up: bool,
) -> Grade:
    answer = handed.answers.get(exercise.id)
    if answer is None:
        state, feedback = MISSING, []
    elif problem := submission.too_long(answer):
        state, feedback = FAILED, [["", "", problem]]
    elif time_is_up:
        state, feedback = FAILED, [["", "", f"{TIME_IS_UP} ({terms.in_all:g} s)"]]
    else:
        inputs = seed(terms.secret, exercise.id, handed.digest)
        report = exercise.check(answer, process, inputs, terms.seconds)
        state = report.state
        feedback = _feedback(report, min(terms.seconds, exercise.seconds))
    if exercise.id in handed.remarks:
        feedback.append(["", "", handed.remarks[exercise.id]])
    points = exercise.points if state == PASSED else 0
    return Grade(exercise.id, state, points, exercise.points, feedback)


def _feedback(report: Report, seconds: float) -> list[list[str]]:
    """Return what a learner may read: properties and faults, in fixed words, without any input."""
    if report.state == NOT_ATTEMPTED:
        return [["", "", "the function is still empty"]]
    said = [["", "", report.public]] if report.problem else []
    said += [[line.state, line.text, line.public] for line in report.lines]
    return [
        [state, text, fault and page_words.allowed(fault, seconds)] for state, text, fault in said
    ]
