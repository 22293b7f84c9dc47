"""What a learner has done: it survives restarts, crashes, damage and two notebooks at once."""

import json
import os
import subprocess
import sys
import threading
import time

import pytest

from helpers.exercises.exercise import FAILED, PASSED
from helpers.exercises.process import ROOT
from helpers.exercises.record import Progress, table
from tests.exercises import tiny


@pytest.fixture
def path(tmp_path):
    return tmp_path / "work" / "progress.json"


def test_nothing_is_written_before_anything_was_done(path):
    assert Progress(path).read() == {}
    assert not path.exists()


def test_what_was_recorded_is_there_after_a_restart(path):
    Progress(path).checked("03.3", FAILED)
    Progress(path).checked("03.3", FAILED)
    Progress(path).next_hint("03.2", 3)
    Progress(path).asked_before("03.1")
    assert Progress(path).read() == {
        "03.1": {"state": "", "tries": 0, "hints": 0, "asked": True},
        "03.2": {"state": "", "tries": 0, "hints": 1, "asked": False},
        "03.3": {"state": FAILED, "tries": 2, "hints": 0, "asked": False},
    }


def test_what_was_solved_once_stays_solved(path):
    record = Progress(path)
    for state in (FAILED, PASSED, FAILED):
        record.checked("03.3", state)
    assert record.read()["03.3"] == {"state": PASSED, "tries": 3, "hints": 0, "asked": False}


def test_hints_come_one_after_the_other_and_end(path):
    assert [Progress(path).next_hint("03.3", 3) for _ in range(5)] == [1, 2, 3, 3, 3]
    assert Progress(path).next_hint("03.2", 3) == 1


def test_the_second_time_is_known(path):
    assert [Progress(path).asked_before("03.3") for _ in range(3)] == [False, True, True]


def test_the_place_can_be_chosen(monkeypatch, tmp_path):
    monkeypatch.delenv("COURSE_PROGRESS", raising=False)
    assert Progress().path == ROOT / "work" / "progress.json"
    monkeypatch.setenv("COURSE_PROGRESS", str(tmp_path / "mine.json"))
    assert Progress().path == tmp_path / "mine.json"
    assert Progress(tmp_path / "other.json").path == tmp_path / "other.json"


@pytest.mark.parametrize("where", ["replace", "dumps", "fsync"])
def test_a_crash_while_it_is_written_loses_nothing(monkeypatch, path, where):
    Progress(path).checked("03.3", PASSED)
    before = path.read_bytes()

    def crash(*_, **__):
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(json if where == "dumps" else os, where, crash)
        with pytest.raises(KeyboardInterrupt):
            Progress(path).checked("03.1", FAILED)
    assert path.read_bytes() == before
    # and the next one writes again
    Progress(path).checked("03.1", FAILED)
    assert list(Progress(path).read()) == ["03.1", "03.3"]


def test_a_full_disk_loses_nothing(monkeypatch, path):
    Progress(path).checked("03.3", PASSED)
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError):
            Progress(path).checked("03.1", FAILED)
    assert path.read_bytes() == before


DAMAGED = [
    b"",
    b"{",
    b"\xff\xfe\xfd",
    b"[" * 100_000,
    b"[]",
    b"null",
    b'{"03.3": 5}',
    b'{"03.3": {"state": 1}}',
    b'{"03.3": {"tries": "2"}}',
    b'{"03.3": {"hints": null}}',
    b'{"03.3": {"asked": 1}}',
    b"1" * 5000,
]


@pytest.mark.parametrize("data", DAMAGED, ids=lambda data: data[:30].decode(errors="replace"))
def test_a_damaged_file_is_set_aside_and_said(path, capsys, data):
    path.parent.mkdir()
    path.write_bytes(data)
    assert Progress(path).read() == {}
    assert capsys.readouterr().out == (
        "progress.json was damaged. It is kept as progress.json.damaged1, and a new one begins: "
        "run your checks again.\n"
    )
    assert path.with_name("progress.json.damaged1").read_bytes() == data
    path.write_bytes(data)
    Progress(path).checked("03.3", PASSED)
    assert "progress.json.damaged2" in capsys.readouterr().out
    assert path.with_name("progress.json.damaged2").read_bytes() == data
    assert path.with_name("progress.json.damaged1").read_bytes() == data
    assert Progress(path).read()["03.3"]["state"] == PASSED


def test_two_who_find_it_damaged_lose_nothing(monkeypatch, path, capsys):
    """Another notebook sets it aside and writes anew between a reading and its end."""
    path.parent.mkdir()
    path.write_bytes(b"{")
    loads = json.loads
    others = []

    def slow(data):
        if not others:
            other = threading.Thread(target=Progress(path).checked, args=("03.3", PASSED))
            others.append(other)
            other.start()
            time.sleep(0.3)  # it must wait here; where it does not, it has written by now
        return loads(data)

    monkeypatch.setattr(json, "loads", slow)
    assert Progress(path).read() == {}
    others[0].join()
    assert Progress(path).read()["03.3"]["state"] == PASSED


def test_entries_of_a_later_version_are_kept(path):
    path.parent.mkdir()
    path.write_text('{"99.1": {"state": "passed", "stars": 5}, "03.3": {"tries": 4}}')
    Progress(path).checked("03.3", FAILED)
    record = Progress(path).read()
    assert record["99.1"] == {"state": "passed", "stars": 5}
    assert record["03.3"] == {"state": FAILED, "tries": 5, "hints": 0, "asked": False}


WRITER = """
import sys
from pathlib import Path
from helpers.exercises.record import Progress
for number in range(40):
    Progress(Path(sys.argv[1])).checked(sys.argv[2], "failed")
    Progress(Path(sys.argv[1])).next_hint("both", 1000)
"""


def test_two_writers_at_once_lose_nothing(path):
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(path), name], cwd=ROOT)
        for name in ("a", "b")
    ]
    assert [writer.wait(120) for writer in writers] == [0, 0]
    record = Progress(path).read()
    assert (record["a"]["tries"], record["b"]["tries"], record["both"]["hints"]) == (40, 40, 80)


def test_two_threads_at_once_lose_nothing(path):
    def write():
        for _ in range(20):
            Progress(path).next_hint("03.3", 1000)

    threads = [threading.Thread(target=write) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Progress(path).read()["03.3"]["hints"] == 80


def test_a_lock_that_was_left_behind_keeps_no_one_out(path):
    path.parent.mkdir()
    path.with_name("progress.json.lock").touch()
    done = threading.Thread(target=Progress(path).checked, args=("03.3", PASSED), daemon=True)
    done.start()
    done.join(4)
    assert not done.is_alive()
    assert Progress(path).read()["03.3"]["state"] == PASSED


HOLDER = """
import sys, time
from pathlib import Path
from helpers.exercises.record import Progress
with Progress(Path(sys.argv[1]))._locked():
    print("locked", flush=True)
    time.sleep(600)
"""


def test_one_who_dies_with_the_lock_gives_it_back(path):
    path.parent.mkdir()
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout.readline() == "locked\n"
    waiting = threading.Thread(target=Progress(path).checked, args=("03.3", PASSED), daemon=True)
    waiting.start()
    waiting.join(0.5)
    assert waiting.is_alive()
    holder.kill()
    holder.wait()
    holder.stdout.close()
    waiting.join(60)
    assert Progress(path).read()["03.3"]["state"] == PASSED


def test_the_table_counts_by_lesson():
    exercises = [
        tiny.exercise(id="03.1", points=1),
        tiny.exercise(id="03.2", points=2),
        tiny.exercise(id="03.3", points=10),
        tiny.exercise(id="04.1", points=3),
    ]
    record = {
        "03.1": {"state": PASSED},
        "03.2": {"state": FAILED},
        "03.3": {"state": "", "hints": 2},
        "04.1": {"state": PASSED},
        "99.9": {"state": PASSED},
    }
    assert table(exercises, record) == (
        "lesson  exercises  attempted  solved    points\n"
        "03              3          2       1   1 of 13\n"
        "04              1          1       1    3 of 3\n"
        "all             4          3       2   4 of 16"
    )
    assert table(exercises, {}).splitlines()[-1] == (
        "all             4          0       0   0 of 16"
    )
    assert table([], {}).splitlines()[-1].split() == ["all", "0", "0", "0", "0", "of", "0"]


def test_the_folder_of_the_default_place_is_ignored():
    lines = (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines()
    assert "work/" in lines
