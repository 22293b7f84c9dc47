"""The runs behind the batch sizes of lesson 24b: what is recorded, and that it comes out again."""

import pytest

from helpers.benchmark import noise
from helpers.benchmark.noise import AT, FILE, GRID, SEEDS, SIZES, load_noise, main


def points(kind):
    """{(seed, at): point}"""
    return {(p["seed"], p["at"]): p for p in load_noise() if p["kind"] == kind}


def test_all_points_are_recorded():
    assert [(p["seed"], p["kind"], p["at"]) for p in load_noise()] == GRID
    assert FILE.parts[-3:] == ("data", "benchmarks", "noise.json")


def test_what_the_lesson_says_of_the_noise():
    """Under 1 at first, 5 to 12 at step 20, above 30 from step 100."""
    found = points("noise")
    for seed in SEEDS:
        first, early, late, last = (found[seed, at]["noise"] for at in AT)
        assert first < 1 < 5 < early < 12 < 30 < min(late, last)


def test_what_the_lesson_says_of_the_race():
    """From 2 to 32 fewer steps each time, from 32 to 128 not half, and more sentences each time."""
    found = points("race")
    for seed in SEEDS:
        steps = [found[seed, size]["steps"] for size in SIZES]
        assert steps == sorted(steps, reverse=True) and steps[0] > 4 * steps[2]
        assert steps[3] > steps[2] / 2
        rows = [size * number for size, number in zip(SIZES, steps, strict=True)]
        assert rows == sorted(rows)


@pytest.mark.parametrize("at", [0, 20])
def test_a_recorded_noise_comes_out_again(at):
    """The last digits hang on the processor, as everything that is trained."""
    recorded = points("noise")[1, at]
    assert noise.noise(1, at)["noise"] == pytest.approx(recorded["noise"], rel=0.05)


def test_a_recorded_race_comes_out_again():
    assert noise.race(0, 128) == pytest.approx(points("race")[0, 128]["steps"], abs=20)


def test_a_race_that_is_not_won_ends(monkeypatch):
    monkeypatch.setattr(noise, "MOST", 20)
    assert noise.race(0, 32) == 20


def test_the_command_goes_on_and_is_complete(tmp_path, capsys):
    file = tmp_path / "noise.json"
    small = [(0, "noise", 0), (1, "noise", 0)]
    assert main([], file, small[:1]) == 0
    assert main([], file, small) == 0
    assert [p["seed"] for p in load_noise(file)] == [0, 1]
    assert "1 of 1: seed 1, kind noise, at 0" in capsys.readouterr().out


def test_a_damaged_record_is_refused_with_the_command(tmp_path):
    file = tmp_path / "noise.json"
    file.write_text('{"machine": {}, "points": [{"seed": 0, "kind": "noise", "at": 0}]}')
    with pytest.raises(ValueError, match=r"damaged .*python -m helpers noise --again"):
        load_noise(file)
