"""The recorded training step: equal first, its ratios from its own times, and its sides as said."""

import json
import statistics

import pytest
import torch

from helpers.benchmark import training_step
from helpers.benchmark.measuring import NotEqual, measurement_of
from helpers.benchmark.training_step import (
    AS_CALLED,
    EQUAL_STEPS,
    FILE,
    LIBRARY,
    LLAMA,
    MASTER,
    OURS,
    SHAPE,
    characters,
    check_equal,
    forward_sides,
    library_model,
    loss_curves,
    main,
    ratios,
    step_sides,
    text_batches,
    told,
)

SMALL = {"V": 20, "T": 8, "B": 3, "C": 16, "blocks": 2, "H": 2}
SMALL_LLAMA = {"V": 9, "T": 8, "B": 2, "C": 16, "blocks": 2, "H": 4, "G": 2, "hidden": 24}


def small(file, *arguments):
    """Run the command with small models."""
    with pytest.MonkeyPatch.context() as patch:
        honest = training_step.measure_all
        patch.setattr(
            training_step,
            "measure_all",
            lambda repeats, steps: honest(repeats, steps, SMALL, SMALL_LLAMA),
        )
        return main(list(arguments), file)


def check_record(record, repeats):
    assert set(record["machine"]) >= {"processor", "cores", "threads", "torch", "transformers"}
    assert set(record["training step"]["sides"]) == {LIBRARY, OURS, MASTER, AS_CALLED}
    assert set(record["forward"]["sides"]) == {LIBRARY, OURS}
    for part in ("training step", "forward"):
        for side in record[part]["sides"].values():
            found = measurement_of(side)
            assert min(found.times) > 0 and 0 <= found.load <= 1
        times = {name: side["times"] for name, side in record[part]["sides"].items()}
        for name, ratio in ratios(record[part]).items():
            slow, fast = name.split(" / ")
            turns = sorted(a / b for a, b in zip(times[slow], times[fast], strict=True))
            assert turns[(len(turns) - 1) // 2] <= ratio <= turns[len(turns) // 2]
    assert len(ratios(record["training step"])) == 4 and len(ratios(record["forward"])) == 1
    assert all(len(s["times"]) == repeats for s in record["training step"]["sides"].values())
    assert max(record["training step"]["equal"].values()) <= training_step.CLOSE
    curves = record["loss curves"]
    gaps = [abs(a - b) for a, b in zip(curves[OURS], curves[MASTER], strict=True)]
    assert curves["largest gap"] == round(max(gaps), 4)


def test_the_record_is_of_the_shapes_told_and_its_ratios_are_of_its_own_times():
    record = json.loads(FILE.read_text())
    check_record(record, 40)
    assert record["training step"]["shape"] == SHAPE and record["forward"]["shape"] == LLAMA
    assert len(record["forward"]["sides"][OURS]["times"]) >= 5


def test_a_slow_moment_that_meets_both_sides_does_not_move_a_ratio():
    sides = {LIBRARY: {"times": [2, 20, 2, 30, 40]}, OURS: {"times": [1, 10, 1, 15, 10]}}
    assert ratios({"sides": sides}) == {f"{LIBRARY} / {OURS}": 2}


def test_in_the_record_bfloat16_learns_as_float32_does():
    curves = json.loads(FILE.read_text())["loss curves"]
    assert len(curves[OURS]) >= 15  # some hundreds of steps
    for name in (OURS, MASTER):
        assert curves[name][-1] < curves[name][0] - 1
    assert curves["largest gap"] < 0.05


def test_the_command_writes_a_whole_record(tmp_path, capsys):
    file = tmp_path / "deep" / "step.json"
    assert small(file, "--repeats", "3", "--steps", "40") == 0
    record = json.loads(file.read_text())
    check_record(record, 3)
    out = capsys.readouterr().out
    assert out.splitlines()[:-1] == told(record) and "written to step.json" in out
    assert list(file.parent.iterdir()) == [file]


@pytest.mark.parametrize(
    "arguments, words",
    [
        (["--repeats", "0"], "--repeats is 0; give 1 or more"),
        (["--steps", "39"], "--steps is 39; give 40 or more"),
        (["fast"], "unrecognized arguments: fast"),
    ],
)
def test_wrong_arguments_are_told_in_a_sentence(tmp_path, capsys, arguments, words):
    with pytest.raises(SystemExit):
        main(arguments, tmp_path / "step.json")
    told_last = capsys.readouterr().err.splitlines()[-1]
    assert told_last == f"python -m helpers training-step: error: {words}"
    assert not list(tmp_path.iterdir())


# ---- equality first ------------------------------------------------------------------------------


def test_ours_and_the_librarys_give_the_same_logits_and_losses():
    assert max(check_equal(SMALL).values()) <= training_step.CLOSE
    sides = step_sides(SMALL)
    losses = {name: [step() for _ in range(EQUAL_STEPS)] for name, step in sides.items()}
    assert losses[OURS] == pytest.approx(losses[LIBRARY], abs=1e-4)
    assert losses[MASTER] == pytest.approx(losses[LIBRARY], abs=0.02)
    assert losses[MASTER] != losses[OURS] and losses[AS_CALLED] != losses[LIBRARY]


def test_a_model_that_is_off_is_never_timed(monkeypatch):
    honest = training_step.twin

    def off(theirs):
        model = honest(theirs)
        with torch.no_grad():
            model.blocks[0].attention.query.weight[0, 0] += 0.5
        return model

    monkeypatch.setattr(training_step, "twin", off)
    with pytest.raises(NotEqual, match=r"differ by .* in logits and .* in losses"):
        check_equal(SMALL)
    with pytest.raises(NotEqual):
        training_step.measure_all(1, 40, SMALL, SMALL_LLAMA)


def test_the_library_is_called_like_for_like_and_as_most_call_it():
    plain, as_called = library_model(SMALL), library_model(SMALL, as_called=True)
    assert plain.config._attn_implementation == "sdpa"
    assert as_called.config._attn_implementation == "eager"
    rates = [
        {m.p for m in x.modules() if isinstance(m, torch.nn.Dropout)} for x in (plain, as_called)
    ]
    assert rates == [{0.0}, {0.1}] and plain.training and as_called.training
    weights = zip(plain.parameters(), as_called.parameters(), strict=True)
    assert all(torch.equal(a, b) for a, b in weights)


def test_both_forward_passes_give_the_same_logits_without_gradients():
    theirs, ours = (run() for run in forward_sides(SMALL_LLAMA).values())
    assert ours.shape == (2, 8, 9) and not ours.requires_grad and not theirs.requires_grad
    torch.testing.assert_close(ours, theirs, rtol=0, atol=1e-4)


# ---- data ----------------------------------------------------------------------------------------


def test_characters_are_ranked_and_rare_ones_share_the_last_id():
    assert characters("abracadabra", 4).tolist() == [0, 1, 2, 0, 3, 0, 3, 0, 1, 2, 0]


def test_batches_are_pieces_of_the_text_and_the_same_for_every_side():
    ids = characters(training_step.TEXT.read_text(encoding="utf-8"), 20).unfold(0, 8, 1)
    a, b = text_batches(3, 8, 20), text_batches(3, 8, 20)
    for _ in range(5):
        rows = next(a)
        assert torch.equal(rows, next(b)) and rows.shape == (3, 8)
        assert all((ids == row).all(dim=1).any() for row in rows)


def test_loss_curves_are_means_and_their_largest_gap():
    curves = loss_curves(SMALL, 45)
    assert len(curves[OURS]) == len(curves[MASTER]) == 2
    losses = [step_sides(SMALL)[OURS]]
    assert curves[OURS][0] == pytest.approx(
        statistics.fmean(losses[0]() for _ in range(20)), abs=1e-4
    )
