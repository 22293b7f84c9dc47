"""The recorded grid of lesson 11: complete, equal first, interruptible, and never half a file."""

import json

import pytest

from helpers.benchmark import cache_grid, points
from helpers.benchmark.cache_grid import (
    FILE,
    GRID,
    cache_sides,
    grid_config,
    load_grid,
    main,
    measure_point,
    measurement_of,
    same_generation,
)
from helpers.counting.operations import Work, generation_work

SMALL = ((1, 3), (2, 4))


def names(file):
    return [(point["batch"], point["length"]) for point in load_grid(file)["points"]]


def test_the_recorded_grid_has_every_point_with_the_work_of_today():
    recorded = load_grid()
    assert sorted((p["batch"], p["length"]) for p in recorded["points"]) == sorted(GRID)
    assert set(recorded["machine"]) >= {"processor", "cores", "threads", "torch"}
    for point in recorded["points"]:
        config = grid_config(point["length"])
        for name in ("uncached", "cached"):
            wanted = generation_work(
                config, point["length"], batch=point["batch"], cached=name == "cached"
            )
            assert Work(**point["work"][name]) == wanted
        assert point["equal"] is True
        for side in point["sides"].values():
            found = measurement_of(side)
            assert len(found.times) >= 3 and min(found.times) > 0
            assert 0 <= found.load <= 1


def unfinished(file):
    return file.with_suffix(".unfinished.json")


@pytest.mark.parametrize("window", [False, True])
def test_all_sides_say_the_same(window):
    sides = {name: run() for name, run in cache_sides(3, 40, window=window).items()}
    assert set(sides) == (
        {"uncached", "window"} if window else {"uncached", "growing", "preallocated"}
    )
    for name, generation in sides.items():
        assert same_generation(sides["uncached"], generation), name
        assert generation.tokens.shape == (3, 40)


def test_another_text_or_another_probability_is_not_the_same():
    a, b = (cache_sides(2, length)["uncached"]() for length in (5, 5))
    assert same_generation(a, b)
    b.tokens[1, 2] += 1
    assert not same_generation(a, b)
    b.tokens[1, 2] -= 1
    b.log_probabilities[0] += 2e-4
    assert not same_generation(a, b)


def test_a_point_holds_equality_work_and_times():
    point = measure_point(2, 4, repeats=3)
    assert json.loads(json.dumps(point)) is not None
    assert set(point["sides"]) == {"uncached", "growing", "preallocated"}
    counts = {name: len(side["times"]) for name, side in point["sides"].items()}
    # a short run is repeated 8 times as often, and the two caches more often still
    assert counts == {"uncached": 8 * 3, "growing": 40, "preallocated": 40}
    assert "window" in measure_point(1, cache_grid.WINDOW + 1, repeats=1)["sides"]


def test_the_command_measures_what_is_missing_and_only_that(tmp_path, capsys, monkeypatch):
    file = tmp_path / "deep" / "grid.json"
    assert main(["--repeats", "1"], file, SMALL[:1]) == 0
    assert names(file) == [SMALL[0]]
    first = load_grid(file)["points"][0]
    assert main(["--repeats", "1"], file, SMALL) == 0
    assert names(file) == list(SMALL)
    assert load_grid(file)["points"][0] == first
    assert "1 of 1: batch 2, length 4" in capsys.readouterr().out
    assert main([], file, SMALL) == 0
    assert "all 2 points are there" in capsys.readouterr().out
    assert main(["--again", "--repeats", "1"], file, SMALL) == 0
    assert names(file) == list(SMALL)
    assert list(file.parent.iterdir()) == [file]  # no temporary file is left


def test_an_interrupted_run_keeps_what_it_has_and_goes_on(tmp_path, capsys, monkeypatch):
    file = tmp_path / "grid.json"
    honest, calls = cache_grid.measure_point, []

    def stops_at_the_second(batch, length, repeats):
        calls.append((batch, length))
        if len(calls) == 2:
            raise KeyboardInterrupt
        return honest(batch, length, repeats)

    monkeypatch.setattr(cache_grid, "measure_point", stops_at_the_second)
    assert main(["--repeats", "1"], file, SMALL) == 130
    assert "1 of 2 points are recorded" in capsys.readouterr().err
    assert names(unfinished(file)) == [SMALL[0]]
    assert main(["--repeats", "1"], file, SMALL) == 0
    assert names(file) == list(SMALL)
    assert calls == [SMALL[0], SMALL[1], SMALL[1]]


def test_a_record_of_another_machine_is_not_mixed(tmp_path, capsys, monkeypatch):
    file = tmp_path / "grid.json"
    assert main(["--repeats", "1"], file, SMALL[:1]) == 0
    before = file.read_text()
    monkeypatch.setattr(points, "machine", lambda: {"processor": "another"})
    assert main(["--repeats", "1"], file, SMALL) == 1
    assert "another machine or with other versions" in capsys.readouterr().err
    assert file.read_text() == before


def test_what_is_said_to_be_recorded_is_in_the_file(tmp_path, capsys, monkeypatch):
    file, honest, calls = tmp_path / "grid.json", points.write, []

    def stops_at_the_second(record, file):
        calls.append(1)
        if len(calls) == 2:
            raise KeyboardInterrupt
        honest(record, file)

    monkeypatch.setattr(points, "write", stops_at_the_second)
    assert main(["--repeats", "1"], file, SMALL) == 130
    assert "1 of 2 points are recorded" in capsys.readouterr().err
    assert names(unfinished(file)) == [SMALL[0]]


def test_a_record_stays_whole_until_all_points_are_measured_again(tmp_path, capsys, monkeypatch):
    file, honest, calls = tmp_path / "grid.json", cache_grid.measure_point, []
    assert main(["--repeats", "1"], file, SMALL) == 0
    before = file.read_bytes()

    def stops_at_the_second(batch, length, repeats):
        calls.append(batch)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return honest(batch, length, repeats)

    monkeypatch.setattr(cache_grid, "measure_point", stops_at_the_second)
    assert main(["--again", "--repeats", "1"], file, SMALL) == 130
    assert file.read_bytes() == before
    assert main(["--again", "--repeats", "1"], file, SMALL) == 0  # goes on, and does not begin anew
    assert "going on with grid.unfinished.json; delete it" in capsys.readouterr().out
    assert calls == [1, 2, 2]
    assert file.read_bytes() != before and names(file) == list(SMALL)
    assert list(tmp_path.iterdir()) == [file]


def test_a_damaged_unfinished_record_is_named(tmp_path, capsys):
    file = tmp_path / "grid.json"
    unfinished(file).write_text("{")
    assert main(["--again"], file, SMALL) == 1
    assert "grid.unfinished.json is damaged" in capsys.readouterr().err
    assert not file.exists()


def test_a_place_that_cannot_be_written_is_told_before_anything_is_measured(
    tmp_path, capsys, monkeypatch
):
    monkeypatch.setattr(cache_grid, "measure_point", None)  # would fail when called
    (tmp_path / "file").write_text("")
    assert main(["--again", "--repeats", "1"], tmp_path / "file" / "grid.json", SMALL) == 1
    assert "could not be written" in capsys.readouterr().err


def test_a_full_disk_is_told_with_what_is_recorded(tmp_path, capsys, monkeypatch):
    def full(record, file):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(points, "write", full)
    assert main(["--repeats", "1"], tmp_path / "grid.json", SMALL) == 1
    told = capsys.readouterr().err
    assert "No space left on device" in told and "0 of 2 points are recorded" in told


DAMAGES = [
    "",
    "{",
    "[]",
    '{"machine": {}, "points": 3}',
    '{"machine": {}, "points": {}}',
    '{"machine": {}, "points": [{"batch": 1}]}',
    '{"machine": {}, "points": [{"batch": 1, "length": 9, "sides": {"uncached": 1}}]}',
    '{"machine": 3, "points": []}',
    '{"points": []}',
]


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_record_is_refused_with_the_remedy(tmp_path, capsys, damage):
    file = tmp_path / "grid.json"
    file.write_text(damage)
    with pytest.raises(ValueError, match=r"grid.json is damaged .*python -m helpers benchmark"):
        load_grid(file)
    assert main([], file, SMALL) == 1
    assert "is damaged" in capsys.readouterr().err
    assert file.read_text() == damage
    with pytest.raises(FileNotFoundError, match="python -m helpers benchmark"):
        load_grid(tmp_path / "none.json")


def test_wrong_arguments_are_named(tmp_path, capsys):
    for arguments, words in ((["--repeats", "0"], "--repeats is 0"), (["8x9"], "8x9")):
        with pytest.raises(SystemExit):
            main(arguments, tmp_path / "grid.json", SMALL)
        assert words in capsys.readouterr().err


def test_it_is_recorded_where_lessons_look():
    assert FILE.parts[-3:] == ("data", "benchmarks", "kv_cache.json")
