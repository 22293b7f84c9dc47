"""A record of many points: interruptible, never half a file, never of two machines."""

import json
from dataclasses import replace

import pytest

from helpers.benchmark import points
from helpers.benchmark.points import Record

WANTED = ((1, "a"), (2, "b"))


class Clockwork:
    """A record whose points cost nothing, and which can be told to fail at a call."""

    def __init__(self, folder, fails=None):
        self.calls, self.fails = [], dict(fails or {})
        self.record = Record(
            folder / "record.json", "wind --again", ("size", "kind"), self.measure, check
        )

    def measure(self, size, kind):
        self.calls.append((size, kind))
        if error := self.fails.get(len(self.calls)):
            raise error
        return {"turns": 10 * size}

    def __call__(self, again=False):
        return self.record.complete(WANTED, again)

    def keys(self, file=None):
        return [self.record.key(point) for point in self.record.load(file)["points"]]


def check(point):
    int(point["turns"])


@pytest.fixture
def clockwork(tmp_path):
    return Clockwork(tmp_path)


def test_what_is_missing_is_measured_and_only_that(clockwork, capsys):
    assert clockwork.record.complete(WANTED[:1], False) == 0
    (first,) = clockwork.record.load()["points"]
    assert first | {"load": 0} == {"size": 1, "kind": "a", "turns": 10, "load": 0}
    assert clockwork() == 0
    assert clockwork.calls == list(WANTED) == clockwork.keys()
    assert clockwork.record.load()["points"][0] == first
    assert "1 of 1: size 2, kind b" in capsys.readouterr().out
    assert clockwork() == 0
    assert "all 2 points are there; --again" in capsys.readouterr().out
    assert clockwork(again=True) == 0
    assert clockwork.calls == [*WANTED, *WANTED]
    assert list(clockwork.record.file.parent.iterdir()) == [clockwork.record.file]


def test_the_time_left_follows_the_guess_of_what_points_cost(tmp_path, capsys):
    record = replace(Clockwork(tmp_path).record, cost=lambda size, kind: size)
    record.complete([(1, "a"), (2, "b")], False)
    said = capsys.readouterr().out
    assert said.count("s left") == 1  # behind the first point, and no more behind the last


def test_an_interrupted_run_keeps_what_it_has_and_goes_on(tmp_path, capsys):
    clockwork = Clockwork(tmp_path, {2: KeyboardInterrupt()})
    assert clockwork() == 130
    assert "1 of 2 points are recorded" in capsys.readouterr().err
    assert clockwork.keys(clockwork.record.unfinished) == [WANTED[0]]
    assert not clockwork.record.file.exists()
    assert clockwork() == 0
    assert "going on with record.unfinished.json; delete it" in capsys.readouterr().out
    assert clockwork.calls == [WANTED[0], WANTED[1], WANTED[1]]
    assert clockwork.keys() == list(WANTED)


def test_a_record_stays_whole_until_all_points_are_measured_again(tmp_path):
    clockwork = Clockwork(tmp_path, {4: KeyboardInterrupt()})
    assert clockwork() == 0
    before = clockwork.record.file.read_bytes()
    assert clockwork(again=True) == 130
    assert clockwork.record.file.read_bytes() == before
    assert clockwork(again=True) == 0  # goes on, and does not begin anew
    assert clockwork.calls == [*WANTED, *WANTED, WANTED[1]]
    assert list(tmp_path.iterdir()) == [clockwork.record.file]


def test_points_of_another_machine_are_not_mixed(clockwork, capsys, monkeypatch):
    assert clockwork.record.complete(WANTED[:1], False) == 0
    before = clockwork.record.file.read_text()
    monkeypatch.setattr(points, "machine", lambda: {"processor": "another"})
    assert clockwork() == 1
    assert "another machine or with other versions" in capsys.readouterr().err
    assert clockwork.record.file.read_text() == before


def test_what_is_said_to_be_recorded_is_in_the_file(clockwork, capsys, monkeypatch):
    honest, calls = points.write, []

    def stops_at_the_second(record, file):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        honest(record, file)

    monkeypatch.setattr(points, "write", stops_at_the_second)
    assert clockwork() == 130
    assert "1 of 2 points are recorded" in capsys.readouterr().err
    assert clockwork.keys(clockwork.record.unfinished) == [WANTED[0]]


def test_a_place_that_cannot_be_written_is_told_before_anything_is_measured(tmp_path, capsys):
    (tmp_path / "file").write_text("")
    clockwork = Clockwork(tmp_path / "file")
    assert clockwork() == 1
    assert clockwork.calls == []
    assert "could not be written" in capsys.readouterr().err


def test_a_full_disk_is_told_with_what_is_recorded(clockwork, capsys, monkeypatch):
    def full(record, file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(points, "write", full)
    assert clockwork() == 1
    told = capsys.readouterr().err
    assert "No space left on device" in told and "0 of 2 points are recorded" in told


DAMAGES = [
    "",
    "{",
    "[]",
    '{"machine": {}, "points": 3}',
    '{"machine": {}, "points": {}}',
    '{"machine": {}, "points": [{"size": 1}]}',
    '{"machine": {}, "points": [{"size": 1, "kind": "a", "turns": "many"}]}',
    '{"machine": 3, "points": []}',
    '{"points": []}',
]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("which", ["file", "unfinished"])
def test_a_damaged_record_is_refused_with_the_remedy(clockwork, capsys, damage, which):
    file = getattr(clockwork.record, which)
    file.write_text(damage)
    with pytest.raises(ValueError, match=rf"{file.name} is damaged .*python -m helpers wind"):
        clockwork.record.load(file)
    assert clockwork() == 1
    assert f"{file.name} is damaged" in capsys.readouterr().err
    assert file.read_text() == damage and clockwork.calls == []


def test_a_record_that_is_not_there_is_told_with_the_command(clockwork):
    with pytest.raises(FileNotFoundError, match="python -m helpers wind --again"):
        clockwork.record.load()
    points.write({"machine": {}, "points": []}, clockwork.record.file)
    assert json.loads(clockwork.record.file.read_text()) == clockwork.record.load()
