"""The runs behind the best rates of lesson 24b: what is recorded, and that it comes out again."""

import pytest

from helpers.benchmark import width
from helpers.benchmark.width import FILE, GRID, POWERS, SEEDS, WIDTHS, load_widths, main


def losses():
    """{(seed, way, width): {power: excess}}"""
    found = {}
    for p in load_widths():
        found.setdefault((p["seed"], p["way"], p["width"]), {})[p["power"]] = p["excess"]
    return found


def best(curve):
    """The power with the least loss."""
    return min(curve, key=curve.get)


def test_all_runs_are_recorded():
    assert [(p["seed"], p["way"], p["width"], p["power"]) for p in load_widths()] == GRID
    assert FILE.parts[-3:] == ("data", "benchmarks", "width.json")
    assert all(set(curve) == set(POWERS) for curve in losses().values())


@pytest.mark.parametrize("seed", SEEDS)
def test_what_the_lesson_says_of_the_best_rates(seed):
    """With one rate the best of the widest lies two powers or more below the narrowest's; by width
    it lies within one. The narrow model's best rate ruins the wide one only with one rate."""
    found = losses()
    one, by = ([found[seed, way, C] for C in WIDTHS] for way in width.WAYS)
    assert best(one[0]) - best(one[2]) >= 2
    assert abs(best(by[0]) - best(by[2])) <= 1
    there = best(one[0])
    assert one[2][there] > 2 * min(one[2].values())
    assert by[2][best(by[0])] < 1.2 * min(by[2].values())


@pytest.mark.parametrize("seed", SEEDS)
def test_each_tuned_for_itself_the_two_ways_are_about_equal(seed):
    found = losses()
    one, by = (min(found[seed, way, WIDTHS[-1]].values()) for way in width.WAYS)
    assert by == pytest.approx(one, rel=0.2)


@pytest.mark.parametrize("way", width.WAYS)
def test_a_recorded_run_comes_out_again(way):
    """The last digits hang on the processor, as everything that is trained."""
    recorded = losses()[0, way, 16][-5]
    assert width.measure(0, way, 16, -5)["excess"] == pytest.approx(recorded, abs=0.01)


def test_the_command_goes_on_and_is_complete(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(width, "STEPS", 20)
    file, small = tmp_path / "width.json", [(0, "one rate", 16, -5), (0, "by width", 16, -5)]
    assert main([], file, small[:1]) == 0
    assert main([], file, small) == 0
    assert [p["way"] for p in load_widths(file)] == ["one rate", "by width"]
    assert "1 of 1: seed 0, way by width, width 16, power -5" in capsys.readouterr().out


def test_a_damaged_record_is_refused_with_the_command(tmp_path):
    file = tmp_path / "width.json"
    file.write_text('{"machine": {}, "points": [{"seed": 0}]}')
    with pytest.raises(ValueError, match=r"damaged .*python -m helpers width --again"):
        load_widths(file)
