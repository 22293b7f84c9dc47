"""The runs behind the scaling law: what is recorded, and that it can be made again."""

from itertools import pairwise

import pytest

from helpers.benchmark import scaling
from helpers.benchmark.scaling import (
    FILE,
    GRID,
    config,
    excess,
    load_runs,
    main,
    schedule,
    train_on,
)
from helpers.counting.planning import parameters
from helpers.decoder.model import Decoder
from helpers.languages.markov_chain import chain

SMALL = [(0, 4, 512), (0, 6, 512)]


def test_all_runs_are_recorded_with_the_size_of_their_model():
    runs = load_runs()
    assert [(run["seed"], run["width"], run["tokens"]) for run in runs] == GRID
    for run in runs:
        size = parameters(config(run["width"]))
        assert run["N"] == size.total and 0 < run["excess"] < 0.4
        assert run["N_without_embeddings"] == size.total - size.embeddings
    assert FILE.parts[-3:] == ("data", "benchmarks", "scaling.json")


def test_a_recorded_run_comes_out_again():
    """The last digits hang on the processor, as everything that is trained."""
    (run,) = [r for r in load_runs() if (r["seed"], r["width"], r["tokens"]) == (0, 8, 2**15)]
    assert scaling.measure(0, 8, 2**15)["excess"] == pytest.approx(run["excess"], abs=0.01)


def test_a_model_that_learns_is_nearer_to_the_law_and_one_that_knows_it_is_there():
    language = chain()
    fresh = excess(Decoder(config(8)), language)
    assert excess(train_on(language, 8, 2**13, seed=0), language) < fresh / 1.5
    assert fresh > 1


def test_the_rate_rises_in_a_twentieth_of_the_steps_then_falls_straight():
    wide = schedule(16, 100)
    rates = [wide.rate(step) for step in range(100)]
    falls = [one - after for one, after in pairwise(rates[5:])]
    assert rates.index(max(rates)) == 5 and max(rates) == pytest.approx(0.08 / 4, rel=0.02)
    assert falls == pytest.approx([rates[-1]] * len(falls)) and rates[-1] > 0
    assert schedule(4, 100).rate(50) == pytest.approx(2 * wide.rate(50))


def test_the_command_goes_on_and_is_complete(tmp_path, capsys):
    file = tmp_path / "scaling.json"
    assert main([], file, SMALL[:1]) == 0
    assert main([], file, SMALL) == 0
    assert [(run["seed"], run["width"], run["tokens"]) for run in load_runs(file)] == SMALL
    assert "1 of 1: seed 0, width 6, tokens 512" in capsys.readouterr().out
    assert main([], file, SMALL) == 0
    assert "all 2 points are there" in capsys.readouterr().out


def test_a_damaged_record_is_refused_with_the_command(tmp_path):
    file = tmp_path / "scaling.json"
    point = '{"seed": 0, "width": 4, "tokens": 8, "N": "many"}'
    file.write_text(f'{{"machine": {{}}, "points": [{point}]}}')
    with pytest.raises(ValueError, match=r"damaged .*python -m helpers scaling --again"):
        load_runs(file)
