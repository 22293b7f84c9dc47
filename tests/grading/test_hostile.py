"""Hostile and broken submissions, graded in one batch together with an honest one.

tests/hostile/answers/ holds an answer to exercise 02.3 in each file, with the points that it
deserves; tests/hostile/malformed.py what is broken or cunning as a file.
"""

import csv
import ctypes
import hashlib
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
import torch

from helpers.exercises import catalog
from helpers.exercises.exercise import Broken
from helpers.exercises.handed.gathering import DIFFERENT
from helpers.exercises.handed.names import readable
from helpers.grading import page_words, sandbox, submission
from helpers.grading.grade import Terms
from helpers.grading.gradebook import TABLE, Gradebook, seed
from helpers.grading.names import distinct
from tests.exercises import planted
from tests.hostile import malformed

ROOT = catalog.ROOT
ANSWERS = sorted((ROOT / "tests" / "hostile" / "answers").glob("*.py"))
HONEST = ("01.1", "01.2", "02.1", "02.3", "03.3")
# these end their process: the exercise after them would only cost a fresh one, over and over
ALONE = (
    "child_holds_the_pipe exits_at_once forged_shape forges_a_verdict ignores_signals "
    "kills_everything kills_its_parent promises_a_long_message recursion replies_after_its_end "
    "replies_and_reads_nothing replies_too_early takes_6_gb takes_50_gb "
    "writes_to_every_descriptor"
).split()
SECONDS = 8
SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER: whatever loses its parent below comes to this process

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(sys.platform != "linux", reason="the sandbox needs Linux"),
]


def reference(exercise: str) -> str:
    """Return the right answer's source."""
    return planted.reference(catalog.find(exercise)).source


def deserved(path: Path) -> int:
    """Return the points that a hostile answer's first comment says it deserves."""
    return int(re.search(r"^Deserves (\d)", path.read_text(encoding="utf-8"), re.M)[1])


def write(path: Path, answers: dict[str, str]) -> None:
    """Write a submission."""
    path.write_text(json.dumps({"format": 1, "answers": answers}), encoding="utf-8")


def state(folder: Path) -> dict[str, str]:
    """Return what is in a folder: each path with its kind, rights and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        if path.is_relative_to(ROOT / ".build") or "__pycache__" in path.parts:
            continue
        facts = path.lstat()
        content = os.readlink(path) if path.is_symlink() else ""
        if path.is_file() and not path.is_symlink() and facts.st_size < 2**24:
            content = hashlib.sha256(path.read_bytes()).hexdigest()
        found[str(path)] = f"{facts.st_mode:o} {facts.st_size} {content}"
    return found


def course() -> dict[str, str]:
    """Return what is in the course's own folders."""
    folders = ("helpers", "lessons", "tests", "data")
    return {path: facts for name in folders for path, facts in state(ROOT / name).items()}


def children() -> set[int]:
    """Return the processes that belong to this one."""
    found = set()
    for thread in Path("/proc/self/task").iterdir():
        found |= {int(child) for child in (thread / "children").read_text().split()}
    return found


def survivors(before: set[int]) -> set[int]:
    """Return the processes that came to this one and live on; bury those that are dead."""
    end = time.monotonic() + 10
    while left := children() - before:
        for child in left:
            try:
                os.waitpid(child, os.WNOHANG)
            except ChildProcessError:
                continue
        if time.monotonic() > end:
            return left
        time.sleep(0.1)
    return left


def users_of(process: int) -> list[str]:
    """Return the processes of the users that the sandboxes of a grader have."""
    first = sandbox.FIRST_USER + process * 64
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            text = status.read_text()
        except OSError:
            continue
        user = int(re.search(r"^Uid:\s+(\d+)", text, re.M)[1])
        if first <= user < first + 64:
            found.append(text.splitlines()[0])
    return found


def grade(source: Path, target: Path, *more: str) -> tuple[int, str, int, int]:
    """Run make grade as a process; return its exit status, words, peak memory and id."""
    command = [sys.executable, "-m", "helpers", "grade", str(source), str(target), *more]
    environment = os.environ | {"COURSE_SECRET": "SECRET", "OMP_NUM_THREADS": "1"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    )
    said = []
    reader = threading.Thread(target=lambda: said.append(process.stdout.read()))
    reader.start()
    peak, end = 0, time.monotonic() + 900
    while process.poll() is None:
        try:
            text = Path(f"/proc/{process.pid}/status").read_text()
            peak = max(peak, int(re.search(r"^VmHWM:\s+(\d+)", text, re.M)[1]) // 1024)
        except (OSError, TypeError):  # it has just ended
            pass
        if time.monotonic() > end:
            process.kill()
            pytest.fail("grading never ended")
        time.sleep(0.2)
    reader.join()
    if process.returncode == 2 and sandbox.REMEDY in said[0]:
        if os.environ.get("CI"):
            pytest.fail(said[0])
        pytest.skip(said[0])
    return process.returncode, said[0], peak, process.pid


def hidden_digits(inputs: int) -> set[str]:
    """Return the first digits of the numbers that the check of 02.3 draws from this seed."""
    exercise, found = catalog.find("02.3"), set()

    def call(x):
        found.update(f"{abs(value):.7f}" for value in x.flatten().tolist() if value % 0.5)
        return x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]

    for _, function in exercise.properties:
        try:
            function(call, torch.Generator().manual_seed(inputs))
        except Broken:
            pass
    return {leading(text.replace(".", "")) for text in found}


def leading(digits: str) -> str:
    """Return the first five digits that say something."""
    return digits.lstrip("0")[:5]


def check_feedback(rows: list) -> None:
    """What is said of an answer are fixed words, and the limits of time."""
    fixed = page_words.known() | {page_words.OTHER, "the function is still empty"}
    fixed |= {f"it took longer than {number} s" for number in (5, SECONDS)}
    fixed |= {f"the answer is longer than {submission.LONGEST:,} characters"}
    for row in rows:
        for state, text, fault in json.loads(row.feedback):
            if DIFFERENT in fault:  # on the cells of the file, whatever they do
                continue
            assert state in ("", "holds", "fails", "not reached")
            assert {text, fault.removeprefix("while its cell ran by itself, ")} <= fixed | {""}, (
                fault
            )


def check_reports(target: Path, said: str, inputs: set[int]) -> None:
    """Nothing that an answer said, and nothing of what it was given, stands in what comes out."""
    texts = {"the table": said}
    for path in target.rglob("*"):
        if path.suffix in (".html", ".csv"):
            texts[str(path)] = path.read_text(encoding="utf-8")
    assert len(texts) > 100
    hidden = {digits for one in inputs for digits in hidden_digits(one) if len(digits) == 5}
    assert len(hidden) > 50
    words = re.compile("|".join(["pwned", "\x1b", "\x07", "Traceback", "/solutions", "checks/"]))
    for name, text in texts.items():
        assert not words.search(text), f"{words.search(text)[0]!r} stands in {name}"
        if name != "the table":
            assert "<script" not in text or name.endswith(".csv"), name
        # the hashes in the names of pages, and the times, are digits too
        text = re.sub(r"[0-9a-f]{16}|graded \d+ of \d+ .*", "", text)
        numbers = {leading(digits) for digits in re.findall(r"\d{5,}", text.replace("_", ""))}
        assert not numbers & hidden, f"hidden numbers stand in {name}"
    with open(target / "grades.csv", encoding="utf-8", newline="") as file:
        first = {row[0][0] for row in csv.reader(file)}
    assert not first & set("=+-@"), "a spreadsheet would take a name for a formula"


def test_each_hostile_submission_gets_what_it_deserves(tmp_path):
    """C79, C80, C81: exact scores, a time limit, nothing left over, nothing shown."""
    assert len(ANSWERS) >= 40
    source, target = tmp_path / "handed in", tmp_path / "graded"
    source.mkdir()
    target.mkdir()
    book = Gradebook(f"sqlite:///{target / 'gradebook.db'}")
    secret = book.secret()
    expected = {}
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = str(server.getsockname()[1])
        for path in ANSWERS:
            hostile = path.read_text(encoding="utf-8").replace("65000", port)
            answers = {"01.1": reference("01.1"), "02.3": hostile}
            points = {"01.1": 1, "02.3": deserved(path)}
            if path.stem not in ALONE:
                answers["03.3"] = reference("03.3")
                points["03.3"] = catalog.find("03.3").points
            write(source / f"{path.stem}.json", answers)
            expected[path.stem] = points
        write(source / "HONEST.json", {name: reference(name) for name in HONEST})
        expected["HONEST"] = {name: catalog.find(name).points for name in HONEST}
        built = malformed.build(
            source, ROOT / "tests/solutions/02_3_running_average.py", target / "gradebook.db"
        )
        for name, points in built.items():
            path = Path(name)
            learner = path.stem if path.suffix in (".json", ".ipynb") else name
            expected[distinct(readable(learner))] = dict(
                zip(malformed.EXERCISES, points, strict=True)
            )

        before, course_before, alive = state(source), course(), children()
        ctypes.CDLL(None).prctl(SUBREAPER, 1, 0, 0, 0)
        try:
            status, said, peak, process = grade(
                source, target, "--seconds", str(SECONDS), "--workers", "3"
            )
            left = survivors(alive)
        finally:
            ctypes.CDLL(None).prctl(SUBREAPER, 0, 0, 0, 0)
        with pytest.raises(BlockingIOError):
            server.accept()

    assert status == 0, said
    assert f"graded {len(expected)} of {len(expected)} submissions" in said
    with book._engine.connect() as connection:
        rows = connection.execute(TABLE.select().where(TABLE.c.kind == "grade")).all()
    got, feedback = {}, {}
    for row in rows:
        assert row.checks == Terms("", seconds=SECONDS).version()
        got.setdefault(row.learner, {})[row.exercise] = row.points
        feedback.setdefault(row.learner, {})[row.exercise] = row.feedback
    book.close()
    assert got.keys() == expected.keys()
    wrong = [
        f"{learner}: {exercise} got {points}, deserves {expected[learner].get(exercise, 0)}: "
        f"{feedback[learner][exercise]}"
        for learner, grades in got.items()
        for exercise, points in grades.items()
        if points != expected[learner].get(exercise, 0)
    ]
    assert not wrong, "\n".join(wrong)
    for name in ("endless_loop", "ignores_signals", "sleeps_in_c", "works_at_import"):
        assert f"it took longer than {SECONDS} s" in feedback[name]["02.3"], name
    assert DIFFERENT in feedback["two-answers"]["02.3"]
    assert {row.state for row in rows if row.learner == "deleted"} == {"missing", "passed"}

    assert not left, "processes are left"
    assert not users_of(process), "processes of the sandbox's users are left"
    assert state(source) == before, "what was handed in has changed"
    assert course() == course_before, "the course has changed"
    kinds = {path.suffix for path in target.rglob("*") if path.is_file()}
    assert kinds == {".db", ".html", ".csv", ".png", ".json"}
    # a flood of replies would take gigabytes
    assert peak < 1000, f"the grader took {peak} MB"
    check_feedback(rows)
    tellers = {row.digest for row in rows if row.learner.startswith("tells_")}
    assert len(tellers) >= 8
    check_reports(target, said, {seed(secret, "02.3", digest) for digest in tellers})
    print(f"\n{len(expected)} submissions, peak {peak} MB, {said.splitlines()[-1]}")
