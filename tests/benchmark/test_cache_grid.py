"""The recorded grid of lesson 11: complete, equal first, interruptible, and never half a file."""

import json

import pytest

from helpers.benchmark import cache_grid
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


DAMAGES = [
    '{"machine": {}, "points": [{"batch": 1}]}',
    '{"machine": {}, "points": [{"batch": 1, "length": 9, "sides": {"uncached": 1}}]}',
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
