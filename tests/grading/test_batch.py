"""Grading many: the same rows in any order, with any pool, and whatever is killed on the way."""

import json
import math
import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Executor, Future, ThreadPoolExecutor

import pytest

from helpers.exercises import catalog
from helpers.exercises.exercise import PASSED
from helpers.grading import batch, grade, reports, sandbox, submission
from helpers.grading.folder import find
from helpers.grading.gradebook import Grade, Gradebook
from tests.grading import school

POINTS = sum(school.KNOWN[exercise].points for exercise in school.EXERCISES)


def run(*arguments, seconds=10):
    """Start python -m helpers grade as a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "helpers", "grade", *map(str, arguments), "--seconds", str(seconds)],
        cwd=catalog.ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process):
    """Wait for it; return its lines."""
    said, errors = process.communicate(timeout=900)
    assert (process.returncode, errors) == (0, ""), said
    return said.splitlines()


def table(lines):
    start = next(number for number, line in enumerate(lines) if line.startswith("learner "))
    end = next(
        n for n in range(start, len(lines)) if not lines[n].split()[-2:-1] == ["of"] and n > start
    )
    return lines[start:end]


def book_in(folder):
    return Gradebook(f"sqlite:///{folder / 'gradebook.db'}")


def own(book):
    """Return the terms of grading one's own work."""
    return grade.Terms(book.secret(), own=True)


def rows_in(folder):
    book = book_in(folder)
    found = school.rows(book)
    book.close()
    return found


# -- a grader that only counts: what the batch does with many


@pytest.fixture
def counted(monkeypatch):
    """Replace grading by something quick that depends on the content alone; count by learner.

    The course has but these few exercises then.
    """
    calls = []

    def quick(handed, terms, slot, asked):
        calls.append(handed.learner)
        time.sleep(random.random() / 200)
        points = int(handed.digest[0], 16)
        grades = [Grade(e, PASSED, points, 15, [["holds", e, ""]]) for e in asked]
        return grade.Graded(handed.learner, handed.name, handed.digest, grades)

    few = {exercise: school.KNOWN[exercise] for exercise in school.EXERCISES}
    monkeypatch.setattr(catalog, "exercises", lambda: few)
    monkeypatch.setattr(grade, "grade", quick)
    return calls


def class_of(folder, number):
    for one in range(number):
        school.hand_in(folder, f"learner {one:02}", {"01.1": f"# {one}"})
    return find(folder)


class LastFirst(Executor):
    """Does nothing until somebody waits, and then the newest first."""

    def __init__(self):
        self.waiting = []
        self.most = 0

    def submit(self, function, *arguments):
        future = Future()
        self.waiting.append((future, function, arguments))
        self.most = max(self.most, sum(not one.done() for one, *_ in self.waiting))
        threading.Timer(0.01, self.work).start()
        return future

    def work(self):
        while self.waiting:
            future, function, arguments = self.waiting.pop()
            future.set_result(function(*arguments))


def test_neither_order_nor_workers_nor_pool_change_the_rows(tmp_path, counted):
    found = class_of(tmp_path / "in", 30)
    (tmp_path / "one").mkdir()
    first = book_in(tmp_path / "one")
    batch.grade_all(found, first, ThreadPoolExecutor(1), 1, own(first), say=str)
    expected = school.rows(first)
    assert len(expected) == 30 * len(school.EXERCISES)
    ways = {
        "reversed": (found[::-1], ThreadPoolExecutor(3), 3),
        "shuffled": (random.Random(1).sample(found, 30), ThreadPoolExecutor(7), 7),
        "last first": (found, LastFirst(), 2),
    }
    for name, (order, executor, workers) in ways.items():
        school.same_secret(tmp_path / "one/gradebook.db", tmp_path / name / "gradebook.db")
        book = book_in(tmp_path / name)
        handed, failures, fresh = batch.grade_all(
            order, book, executor, workers, own(book), say=str
        )
        assert (failures, len(fresh)) == ([], 30)
        assert school.rows(book) == expected
        table = reports.table(sorted(batch.current(handed, book, own(book)), key=str))
        assert len(table.splitlines()) == 31
        book.close()
    assert ways["last first"][1].most <= 2 * batch.AHEAD + 1
    first.close()


def test_again_grades_only_what_is_new_or_changed(tmp_path, counted):
    found = class_of(tmp_path / "in", 5)
    book = book_in(tmp_path)
    terms = own(book)

    def again():
        counted.clear()
        pool = ThreadPoolExecutor(2)
        handed, _, _ = batch.grade_all(find(tmp_path / "in"), book, pool, 2, terms, say=str)
        return sorted(counted), reports.table(list(batch.current(handed, book, terms)))

    everyone, first = again()
    assert everyone == sorted(learner for _, learner in found)
    assert again() == ([], first)
    old = len(school.rows(book))
    school.hand_in(tmp_path / "in", "learner 03", {"01.1": "# changed"})
    school.hand_in(tmp_path / "in", "new", {"01.1": "# new"})
    graded, second = again()
    assert graded == ["learner 03", "new"]
    assert len(school.rows(book)) == old + 2 * len(school.EXERCISES)
    assert again() == ([], second)
    book.close()


def test_one_that_cannot_be_graded_is_named_and_graded_next_time(tmp_path, counted, monkeypatch):
    found = class_of(tmp_path / "in", 4)
    book = book_in(tmp_path)
    quick = grade.grade

    def fails(handed, terms, slot, asked):
        if handed.learner == "learner 02":
            raise OSError("no room")
        return quick(handed, terms, slot, asked)

    monkeypatch.setattr(grade, "grade", fails)
    with ThreadPoolExecutor(2) as pool:
        handed, failures, fresh = batch.grade_all(found, book, pool, 2, own(book), say=str)
        assert failures == ["learner 02.json was not graded: OSError"]
        assert len(fresh) == 3
        assert len(list(batch.current(handed, book, own(book)))) == 3
        monkeypatch.setattr(grade, "grade", quick)
        assert batch.grade_all(found, book, pool, 2, own(book), say=str)[1] == []
    assert sorted(counted) == [f"learner 0{one}" for one in range(4)]
    book.close()


def test_an_interrupt_begins_nothing_more(tmp_path, counted, monkeypatch):
    found = class_of(tmp_path / "in", 20)
    book = book_in(tmp_path)
    quick, go = grade.grade, threading.Event()

    def waits(handed, terms, slot, asked):
        if counted:  # the first one is quick, the others are in work when the interrupt comes
            assert go.wait(300)
        return quick(handed, terms, slot, asked)

    def say(line):
        raise KeyboardInterrupt

    class Soon(batch.Clock):
        def one_more(self, known=False):
            self.said = -math.inf
            super().one_more(known)

    monkeypatch.setattr(grade, "grade", waits)
    monkeypatch.setattr(batch, "Clock", Soon)
    pool = ThreadPoolExecutor(1)
    with pytest.raises(KeyboardInterrupt):
        batch.grade_all(found, book, pool, 1, own(book), say=say)
    go.set()
    pool.shutdown()
    assert len(counted) == 2
    assert len(school.rows(book)) == len(school.EXERCISES)
    book.close()


def test_the_clock_tells_how_many_and_how_long(monkeypatch):
    now = [0.0]
    said = []
    monkeypatch.setattr(batch.time, "monotonic", lambda: now[0])
    clock = batch.Clock(100, said.append)
    for _ in range(20):
        clock.one_more(known=True)
    for _ in range(5):
        now[0] += 1
        clock.one_more()
    assert said == [
        "22 of 100 submissions, 20 of them as before, about 78 s left",
        "24 of 100 submissions, 20 of them as before, about 76 s left",
    ]
    now[0] += 1
    for _ in range(75):
        clock.one_more(known=True)
    assert said[-1] == "100 of 100 submissions, 95 of them as before, about 0 s left"


# -- whoever grades proves first that it may


@pytest.fixture
def unproven(monkeypatch):
    """A process that has proved nothing; return the list of proofs."""
    proofs = []
    monkeypatch.setattr(batch, "_PROVEN", set())
    monkeypatch.setattr(sandbox, "prove", lambda *given: proofs.append(given))
    return proofs


def test_each_process_proves_its_sandbox_once_and_own_work_needs_none(unproven, counted):
    handed = submission.Submission("ann", "ann.json", "0" * 64)
    batch.grade_here(handed, grade.Terms("s", own=True))
    assert unproven == []
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda _: batch.grade_here(handed, grade.Terms("s")), range(8)))
    assert len(unproven) == 1
    assert len(counted) == 9


def test_without_a_sandbox_nothing_is_graded_and_the_remedy_is_told(
    tmp_path, unproven, counted, monkeypatch
):
    def prove(*given):
        raise sandbox.NoSandbox("There is no bwrap here.")

    monkeypatch.setattr(sandbox, "prove", prove)
    book = book_in(tmp_path)
    with ThreadPoolExecutor(2) as pool:
        terms = grade.Terms(book.secret())
        found = class_of(tmp_path / "in", 2)
        _, failures, _ = batch.grade_all(found, book, pool, 2, terms, say=str)
    assert counted == []
    assert sorted(failures)[0].startswith(
        "learner 00.json was not graded: There is no bwrap here. To"
    )
    assert school.rows(book) == []
    book.close()


def test_a_worker_with_another_version_grades_nothing(unproven, counted):
    handed = submission.Submission("ann", "ann.json", "0" * 64)
    with pytest.raises(batch.OtherVersion, match="another version of the course"):
        batch.grade_here(handed, grade.Terms("s", own=True), "0" * 16)
    batch.grade_here(handed, grade.Terms("s", own=True), grade.checks_version())
    assert counted == ["ann"]


def test_every_slot_is_its_own():
    everyone = threading.Barrier(20)

    def own(_):
        everyone.wait()
        return batch.slot(), batch.slot()

    with ThreadPoolExecutor(20) as pool:
        found = list(pool.map(own, range(20)))
    assert all(first == second for first, second in found)
    assert len({first for first, _ in found}) == 20


# -- real graders, real sandboxes


NUMBERS = {"right": 9, "other": 5, "wrong": 9, "mixed": 6, "raises": 4, "loops": 2}
NUMBERS |= {"stubs": 7, "empty": 6}


def test_fifty_submissions_get_what_they_deserve_and_again_only_what_is_new(sandboxed, tmp_path):
    kinds = school.fill(tmp_path / "in", NUMBERS)
    (tmp_path / "in" / "broken 0.json").write_text("{")
    (tmp_path / "in" / "broken 1").mkdir()
    (tmp_path / "in" / "essay.pdf").write_text("")
    (tmp_path / "in" / "right 0.json").replace(tmp_path / "in" / "花子 🙂.json")
    kinds["花子 🙂"] = kinds.pop("right 0")
    out = tmp_path / "out"
    lines = finish(run(tmp_path / "in", out, "--workers", "2"))

    book = book_in(out)
    states = school.states(book)
    book.close()
    expected = {learner: school.KINDS[kind][1] for learner, kind in kinds.items()}
    # where there is no cell at all, and where there is one with the stub, nothing is attempted
    assert {learner: states[learner] for learner in kinds} == expected
    assert [states[f"broken {n}"] for n in range(2)] == [(school.MISSING,) * 3] * 2
    assert len(states) == 50
    assert len(rows_in(out)) == 50 * len(school.KNOWN)
    assert lines[0].startswith("not graded: essay.pdf; a submission is")
    assert any(line.startswith("50 of 50 submissions") for line in lines)
    assert "50 graded now" in lines[-2]
    assert lines[-1].startswith("graded 50 of 50 submissions in ")
    first = table(lines)
    assert len(first) == 51
    assert len(list((out / "learners").glob("*.html"))) == 50
    feedback = {row[8] for row in rows_in(out) if row[1].startswith("loops") and row[4] == "02.2"}
    assert all("it took longer than 10 s" in text for text in feedback)

    school.hand_in(tmp_path / "in", "花子 🙂", school.answers("mixed"))
    lines = finish(run(tmp_path / "in", out))
    assert lines[-2].startswith("1 graded now")
    changed = [old for old, new in zip(first, table(lines), strict=True) if old != new]
    assert [line.split()[0] for line in changed] == ["花子"]
    again = finish(run(tmp_path / "in", out))
    assert table(again) == table(lines)
    assert "graded now" not in again[-2]


FEW = {"right": 2, "wrong": 1, "mixed": 1, "raises": 1, "empty": 1}


@pytest.fixture(scope="module")
def calm(sandboxed, tmp_path_factory):
    """A class, what one undisturbed run made of it, and the seconds that it took."""
    folder = tmp_path_factory.mktemp("calm")
    school.fill(folder / "in", FEW)
    started = time.monotonic()
    finish(run(folder / "in", folder / "out", "--workers", "3"))
    return folder / "in", folder / "out", time.monotonic() - started


def test_a_grader_killed_at_any_moment_and_started_again_gives_the_same_rows(calm, tmp_path):
    handed, expected, seconds = calm
    school.same_secret(expected / "gradebook.db", tmp_path / "out/gradebook.db")
    moments = random.Random(3)
    for _ in range(3):
        process = run(handed, tmp_path / "out", "--workers", "2")
        time.sleep(seconds * moments.uniform(0.1, 0.9))
        process.send_signal(signal.SIGKILL)
        process.communicate()
        found = {}
        for row in rows_in(tmp_path / "out"):
            found[row[1]] = found.get(row[1], 0) + 1
        assert set(found.values()) <= {len(school.KNOWN)}  # each submission whole, or not at all
    finish(run(handed, tmp_path / "out", "--workers", "2"))
    assert rows_in(tmp_path / "out") == rows_in(expected)
    for name in ("grades.csv", "index.html"):
        assert (tmp_path / "out" / name).read_bytes() == (expected / name).read_bytes()


@pytest.fixture
def cluster(tmp_path):
    """A Dask scheduler and two workers, as processes on this machine: (address, processes)."""
    file = tmp_path / "scheduler.json"
    here = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(file)]
    commands = [["distributed.cli.dask_scheduler", "--port", "0", *here]]
    commands += [["distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", *here]] * 2
    processes = []
    for command in commands:
        processes.append(
            subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=catalog.ROOT,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
        )
        for _ in range(1200):
            if file.exists() and file.read_text().strip():
                break
            assert processes[0].poll() is None
            time.sleep(0.1)
    yield json.loads(file.read_text())["address"], processes
    for process in processes:
        process.kill()
        process.wait()


def test_a_cluster_that_loses_a_worker_gives_the_same_rows(calm, cluster, tmp_path):
    handed, expected, _ = calm
    address, (_, worker, _) = cluster
    school.same_secret(expected / "gradebook.db", tmp_path / "out/gradebook.db")
    process = run(handed, tmp_path / "out", "--cluster", address)
    while not rows_in(tmp_path / "out") and process.poll() is None:
        time.sleep(0.05)
    worker.send_signal(signal.SIGKILL)
    said, errors = process.communicate(timeout=900)
    assert process.returncode == 0, said + errors
    assert said.splitlines()[-1].startswith("graded 6 of 6 submissions in ")
    assert rows_in(tmp_path / "out") == rows_in(expected)


def test_where_no_scheduler_answers_one_line_says_so(monkeypatch):
    monkeypatch.setattr(batch, "WAIT_SECONDS", 1)
    with pytest.raises(
        ValueError, match=r"no Dask scheduler answers at tcp://127.0.0.1:9: "
    ) as caught:
        batch.cluster("tcp://127.0.0.1:9")
    assert len(str(caught.value).splitlines()) == 1
    with pytest.raises(ValueError, match=r"no Dask scheduler answers at what"):
        batch.cluster("what://x")
