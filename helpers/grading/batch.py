"""Grading many submissions: side by side, in any order, again and again, with the same result."""

import itertools
import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path

from helpers.exercises import catalog
from helpers.grading import grade, submission
from helpers.grading.gradebook import Gradebook

AHEAD = 4  # submissions handed out for each worker, so that none waits and few are in memory
_THREADS = itertools.count()
_HERE = threading.local()


def slot() -> int:
    """Return a number that no other thread and no other process of this machine has now."""
    if not hasattr(_HERE, "number"):
        _HERE.number = next(_THREADS) % 64
    return os.getpid() * 64 + _HERE.number


def grade_here(handed: submission.Submission, terms: grade.Terms) -> grade.Graded:
    """Grade a submission in this thread; what a worker of any kind is given to do."""
    return grade.grade(handed, terms, slot())


def local(workers: int | None = None) -> tuple[Executor, int]:
    """Return a pool of this machine and the number of its workers.

    Threads are enough: what takes time are the sandboxes, and each is a process.
    """
    workers = workers or os.cpu_count() or 1
    return ThreadPoolExecutor(workers), workers


def cluster(address: str) -> tuple[Executor, int]:
    """Return the pool of a Dask cluster, such as tcp://host:8786, and the number of its workers.

    Raises: ValueError if no scheduler answers there.
    """
    from distributed import Client

    try:
        client = Client(address, timeout=20)
    except (OSError, ValueError) as error:
        reason = (str(error) or type(error).__name__).splitlines()[0]
        raise ValueError(f"no Dask scheduler answers at {address}: {reason}") from None
    return client.get_executor(pure=False), max(len(client.scheduler_info()["workers"]), 1)


def grade_all(
    found: list[tuple[Path, str]],
    book: Gradebook,
    executor: Executor,
    workers: int,
    own: bool = False,
    seconds: float = math.inf,
    say: Callable[[str], None] = print,
) -> tuple[list[submission.Submission], list[str], list[grade.Graded]]:
    """Grade what the gradebook does not have yet; each result is written as soon as it is there.

    Returns: all submissions without their answers, a sentence for each that could not be graded,
    and what was graded now.
    """
    terms, version = grade.Terms(book.secret(), own, seconds), grade.checks_version()
    functions = {exercise.id: exercise.function for exercise in catalog.exercises().values()}
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
                except Exception as error:  # a lost machine, a full disk: not the learner's fault
                    failures.append(f"{one.name} was not graded: {type(error).__name__}")
                else:
                    book.add(one.learner, one.digest, version, graded.grades)
                    fresh.append(graded)
                clock.one_more()

    for path, learner in found:
        one = submission.read(path, learner, functions)
        handed.append(submission.Submission(one.learner, one.name, one.digest))
        if book.grades(one.learner, one.digest, version):
            clock.one_more(known=True)
            continue
        running[executor.submit(grade_here, one, terms)] = one
        collect(AHEAD * workers)
    collect(0)
    return handed, failures, fresh


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
        self.say(f"{self.done} of {self.total} submissions{left}")


def current(
    handed: list[submission.Submission], book: Gradebook
) -> Iterator[tuple[submission.Submission, list]]:
    """Yield (submission, its grades) for those that are graded, in order."""
    version = grade.checks_version()
    for one in handed:
        grades = book.grades(one.learner, one.digest, version)
        if grades:
            yield one, grades


def own_processor_seconds() -> float:
    """Return the processor seconds of this process and of the sandboxes that have ended."""
    if sys.platform == "win32":
        return time.process_time()
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime
