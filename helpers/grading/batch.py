"""Grading many submissions: side by side, in any order, again and again, with the same result."""

import itertools
import os
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from pathlib import Path

from helpers.counting import processors
from helpers.exercises import catalog
from helpers.grading import grade, reading, sandbox, submission
from helpers.grading.gradebook import Gradebook

AHEAD = 4  # submissions handed out for each worker, so that none waits and few are in memory
WAIT_SECONDS = 20  # for a scheduler, and for its first worker
_THREADS = itertools.count()
_HERE = threading.local()
_PROOF = threading.Lock()
_PROVEN = set()


class OtherVersion(RuntimeError):
    """A machine has another version of the course than the grader."""


def slot() -> int:
    """Return a number that no other thread and no other process of this machine has now."""
    if not hasattr(_HERE, "number"):
        _HERE.number = next(_THREADS) % 64
    return os.getpid() * 64 + _HERE.number


def make_ready(own: bool, version: str = "", hidden: Sequence[Path] = ()) -> None:
    """See, once in each process that grades, that it may: its sandbox and its version.

    version: of the grader's checks. hidden: what the sandbox must not see.
    Raises: sandbox.NoSandbox, or OtherVersion.
    """
    with _PROOF:
        if version and "version" not in _PROVEN:
            if grade.checks_version() != version:
                raise OtherVersion("a worker has another version of the course than this machine")
            _PROVEN.add("version")
        if not own and "sandbox" not in _PROVEN:
            sandbox.prove(slot(), hidden)
            _PROVEN.add("sandbox")


def grade_here(
    handed: submission.Submission,
    terms: grade.Terms,
    version: str = "",
    asked: Sequence[str] = (),
) -> grade.Graded:
    """Grade a submission in this thread; what a worker of any kind is given to do."""
    make_ready(terms.own, version)
    return grade.grade(handed, terms, slot(), asked)


def local(workers: int | None = None) -> tuple[Executor, int]:
    """Return a pool of this machine and the number of its workers.

    Threads are enough: what takes time are the sandboxes, and each is a process.
    """
    workers = workers or processors.available()
    return ThreadPoolExecutor(workers), workers


def cluster(address: str, own: bool = False) -> tuple[Executor, int]:
    """Return the pool of a Dask cluster, such as tcp://host:8786, and the number of its workers.

    Raises: ValueError if no scheduler answers there, or none of its workers does; and what
    make_ready raises, on the first worker that may not grade.
    """
    from distributed import Client

    try:
        client = Client(address, timeout=WAIT_SECONDS)
    except (OSError, ValueError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise ValueError(f"no Dask scheduler answers at {address}: {reason}") from None
    try:
        client.wait_for_workers(1, timeout=WAIT_SECONDS)
        said = client.run(make_ready, own, grade.checks_version())
    except TimeoutError:
        client.close()
        raise ValueError(f"no worker has joined the Dask scheduler at {address}") from None
    except Exception:
        client.close()
        raise
    return client.get_executor(pure=False), len(said)


def grade_all(
    found: list[tuple[Path, str]],
    book: Gradebook,
    executor: Executor,
    workers: int,
    terms: grade.Terms,
    asked: Sequence[str] = (),
    record: Path | None = None,
    say: Callable[[str], None] = print,
) -> tuple[list[submission.Submission], list[str], list[grade.Graded]]:
    """Grade what the gradebook does not have yet; each result is written as soon as it is there.

    asked: lessons and exercises, all of them for none. record: a file that tells what was read
    before, see reading.py.
    Returns: all submissions without their answers, a sentence for each that could not be graded,
    and what was graded now, without the grades, which the gradebook has.
    """
    version, checks = grade.checks_version(), terms.version()
    before = reading.Record(record, version)
    functions = {exercise.id: exercise.function for exercise in catalog.exercises().values()}
    wanted = list(catalog.select(asked))
    handed, failures, fresh = [], [], []
    running: dict[Future, submission.Submission] = {}
    clock = Clock(len(found), say)

    def collect(least: int) -> None:
        """Wait until at most this many submissions are out, and write down what comes back."""
        while len(running) > least:
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                one = running.pop(future)
                try:
                    graded = future.result()
                except (sandbox.NoSandbox, OtherVersion) as error:
                    failures.append(f"{one.name} was not graded: {error}")
                except Exception as error:  # a lost machine, a full disk: not the learner's fault
                    failures.append(f"{one.name} was not graded: {type(error).__name__}")
                else:
                    book.add(one.learner, one.digest, checks, graded.grades)
                    fresh.append(replace(graded, grades=[]))  # those are in the gradebook
                clock.one_more()

    try:
        for path, learner in found:
            one = before.known(path, learner)
            missing = _missing(one, book, checks, wanted) if one else wanted
            if missing:
                one = before.read(path, learner, functions)
                missing = _missing(one, book, checks, wanted)
            handed.append(replace(one, answers={}, remarks={}))
            if not missing:
                clock.one_more(known=True)
                continue
            running[executor.submit(grade_here, one, terms, version, missing)] = one
            collect(AHEAD * workers)
        collect(0)
    except BaseException:  # an interrupt, a database that is gone: begin nothing more
        for future in running:
            future.cancel()
        raise
    before.save()
    return handed, failures, fresh


def _missing(
    one: submission.Submission, book: Gradebook, checks: str, wanted: list[str]
) -> list[str]:
    """Return the exercises of which the gradebook has no grade for this submission."""
    known = {grade.exercise for grade in book.grades(one.learner, one.digest, checks)}
    return [exercise for exercise in wanted if exercise not in known]


class Clock:
    """Says how many are done and how long the rest will take."""

    def __init__(self, total: int, say: Callable[[str], None]):
        self.total, self.say = total, say
        self.done = self.graded = 0
        self.started = self.said = time.monotonic()

    def one_more(self, known: bool = False) -> None:
        """Count one; say so at most once in two seconds, and at the end."""
        self.done += 1
        self.graded += not known
        now = time.monotonic()
        if now - self.said < 2 and self.done < self.total:
            return
        self.said = now
        each = (now - self.started) / max(self.graded, 1)
        left = f", about {each * (self.total - self.done):.0f} s left" if self.graded else ""
        as_before = self.done - self.graded
        before = f", {as_before} of them as before" if as_before else ""
        self.say(f"{self.done} of {self.total} submissions{before}{left}")


def current(
    handed: list[submission.Submission],
    book: Gradebook,
    terms: grade.Terms,
    asked: Sequence[str] = (),
) -> Iterator[tuple[submission.Submission, list]]:
    """Yield (submission, its grades) for those that are graded on such terms, in order.

    asked: lessons and exercises, all of them for none.
    """
    checks = terms.version()
    wanted = catalog.select(asked)
    for one in handed:
        grades = book.grades(one.learner, one.digest, checks)
        grades = [grade for grade in grades if grade.exercise in wanted]
        if len(grades) == len(wanted):
            yield one, grades
