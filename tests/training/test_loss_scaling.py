"""Loss scaling: small gradients survive 16 bits, a step that overflows is left out."""

import math

import pytest
import torch

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.languages.language import recall
from helpers.training.adamw import AdamW
from helpers.training.batches import Batch, shuffled_batches
from helpers.training.log import Log
from helpers.training.loop import accumulate, next_token_loss, train
from helpers.training.loss_scaling import LossScaler
from helpers.training.master_weights import MasterWeights
from helpers.training.schedules import Schedule

LANGUAGE = recall(2)
CONFIG = DecoderConfig(vocab_size=13, context=17, blocks=1, norm_placement="pre", final_norm=True)
BATCH = Batch.of(LANGUAGE.sentences[:16])


def test_it_halves_on_overflow_and_doubles_after_good_steps_in_a_row():
    scaler = LossScaler(8.0, grow_after=3)
    assert [scaler.accepts(norm) for norm in (1.0, 1.0, math.inf, 1.0, 1.0)] == [
        *(True, True, False, True, True)
    ]
    assert (scaler.scale, scaler.good) == (4.0, 2)
    assert scaler.accepts(0.0) and (scaler.scale, scaler.good) == (8.0, 0)
    assert not scaler.accepts(math.nan) and scaler.scale == 4.0


def test_it_does_not_fall_under_the_least_factor():
    scaler = LossScaler(2.0)
    assert not scaler.accepts(math.inf) and scaler.scale == 1.0 and scaler.at_least
    assert not scaler.accepts(math.inf) and scaler.scale == 1.0


@pytest.mark.parametrize("start", [0, 0.5, -1, math.inf, math.nan])
def test_impossible_factors_are_refused(start):
    with pytest.raises(ValueError, match="start"):
        LossScaler(start)
    with pytest.raises(ValueError, match="grow_after"):
        LossScaler(grow_after=0)


def test_a_factor_of_a_power_of_two_changes_no_gradient_in_float32():
    plain, scaled = Decoder(CONFIG), Decoder(CONFIG)
    losses = [accumulate(plain, [BATCH]), accumulate(scaled, [BATCH], scale=2.0**10)]
    AdamW(scaled.parameters()).gather(2.0**10)
    assert losses[0] == losses[1]
    for a, b in zip(plain.parameters(), scaled.parameters(), strict=True):
        assert torch.equal(a.grad, b.grad)


def share_kept(scale):
    """How many of the gradients that float32 has are not 0 in float16, for a loss over 2000."""
    exact = Decoder(CONFIG)
    accumulate(exact, [BATCH])
    half = Decoder(CONFIG)
    optimizer = MasterWeights(half, dtype=torch.float16)

    def loss(*arguments, **options):
        return next_token_loss(*arguments, **options) / 20_000

    accumulate(half, [BATCH], loss, scale=scale)
    optimizer.gather(scale)
    wanted = torch.cat([p.grad.flatten() for p in exact.parameters()]) / 20_000
    real = wanted.abs() > 1e-11
    close = (optimizer.vector.grad - wanted).abs() < 0.1 * wanted.abs()
    return float(close[real].float().mean())


def test_gradients_that_float16_loses_come_back_with_the_factor():
    assert share_kept(1.0) < 0.6
    assert share_kept(2.0**16) > 0.9


def run(start, steps=20, **more):
    """A run in float16; its log, its scaler and its model."""
    model, log, scaler = Decoder(CONFIG), Log(), LossScaler(start)
    batches = shuffled_batches(LANGUAGE.sentences, 32, seed=0)
    optimizer = MasterWeights(model, dtype=torch.float16)
    losses = train(model, batches, steps=steps, optimizer=optimizer, scaler=scaler, log=log, **more)
    return losses, log, scaler, model


def test_a_run_in_float16_follows_the_run_in_float32():
    model = Decoder(CONFIG)
    wanted = train(model, shuffled_batches(LANGUAGE.sentences, 32, seed=0), steps=20)
    losses, log, scaler, _ = run(2.0**10)
    assert losses == pytest.approx(wanted, abs=0.02)
    assert not any(log.column("skipped")) and set(log.column("scale")) == {2.0**10}
    assert scaler.good == 20


def test_a_factor_that_is_too_large_costs_the_first_steps_and_no_weight_moves_in_them():
    _, log, scaler, _ = run(2.0**26)
    skipped = log.column("skipped")
    count = sum(skipped)
    assert 0 < count < 15 and skipped == [True] * count + [False] * (20 - count)
    assert scaler.scale == 2.0 ** (26 - count)
    assert log.column("scale")[: count + 1] == [2.0 ** (26 - n) for n in range(count + 1)]
    assert [bool(update) for update in log.column("update")] == [not one for one in skipped]


def test_without_a_scaler_the_run_stops_at_the_overflow():
    model = Decoder(CONFIG)
    optimizer = MasterWeights(model, dtype=torch.float16)

    def loss(*arguments, **options):
        return next_token_loss(*arguments, **options) * 2.0**26

    batches = shuffled_batches(LANGUAGE.sentences, 32, seed=0)
    with pytest.raises(RuntimeError, match=r"the gradient's norm is (inf|nan) at step 1"):
        train(model, batches, steps=3, optimizer=optimizer, loss=loss)


def test_with_the_least_factor_an_infinite_gradient_stops_the_run():
    def loss(*arguments, **options):
        return next_token_loss(*arguments, **options) * 2.0**26

    with pytest.raises(RuntimeError, match=r"the gradient's norm is (inf|nan) at step 3"):
        run(4.0, loss=loss)


def test_a_loss_that_is_not_a_number_stops_the_run_at_once_whatever_the_factor():
    def loss(*arguments, **options):
        return next_token_loss(*arguments, **options) * math.nan

    with pytest.raises(RuntimeError, match="the loss is nan at step 1"):
        run(2.0**16, loss=loss)


def test_a_run_in_16_bits_goes_on_bit_for_bit(tmp_path):
    plan = Schedule(0.003, 16)
    fixed = {"schedule": plan, "checkpoint": tmp_path / "run.pt"}
    wanted = run(2.0**26, steps=16, schedule=plan)
    run(2.0**26, steps=12, **fixed)  # behind the steps that are left out
    losses, log, scaler, model = run(2.0**26, steps=16, **fixed)
    assert losses == wanted[0] and log.lines() == wanted[1].lines()
    assert (scaler.scale, scaler.good) == (wanted[2].scale, wanted[2].good)
    for a, b in zip(model.parameters(), wanted[3].parameters(), strict=True):
        assert torch.equal(a, b)
