"""Parameters, operations and bytes of training: by formula, and as they are."""

import dataclasses

import pytest
import torch
from hypothesis import given

from helpers.counting import planning
from helpers.counting.operations import count_work
from helpers.counting.planning import (
    allocated,
    measured_saved_bytes,
    parameters,
    rule_of_six,
    saved_bytes,
    step_bytes,
    training_bytes,
    training_flops,
)
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.training.loop import next_token_loss
from tests.small_models import configs, modern_configs
from tests.tiers import examples

# C, blocks, B, T, V
SHAPES = [(32, 2, 8, 32, 64), (64, 2, 8, 64, 256), (128, 4, 4, 128, 256), (256, 4, 2, 128, 512)]


def plain(width, blocks, length, V):
    return DecoderConfig(
        vocab_size=V,
        context=length,
        width=width,
        blocks=blocks,
        pad_id=None,
        norm_placement="pre",
        final_norm=True,
    )


def made(C, blocks, B, T, V):
    config = plain(C, blocks, T, V)
    model, tokens = Decoder(config), planning.sample_tokens(config, B, T)
    return config, model, lambda: next_token_loss(model(tokens), tokens)


@given(configs())
@examples(60)
def test_parameters_of_any_decoder(config):
    assert parameters(config).total == Decoder(config).parameter_count()


@given(modern_configs())
@examples(60)
def test_parameters_of_any_modern_decoder(config):
    if config.positions == "relative":
        with pytest.raises(ValueError, match="positions is 'relative'"):
            parameters(config)
    else:
        assert parameters(config).total == Decoder(config).parameter_count()


def test_parameters_of_the_four_shapes_and_where_they_stand():
    """= of part 25."""
    found = [parameters(plain(C, L, T, V)) for C, L, _, T, V in SHAPES]
    assert [one.total for one in found] == [30_656, 137_216, 875_520, 3_454_976]
    model = Decoder(plain(32, 2, 32, 64))
    assert found[0].embeddings == 64 * 32 + 32 * 32
    assert found[0].blocks == sum(p.numel() for p in model.blocks.parameters())


@pytest.mark.parametrize("shape", SHAPES)
def test_saved_bytes_to_the_byte(shape):
    """= of part 25."""
    config, model, loss = made(*shape)
    _, _, B, T, _ = shape
    assert saved_bytes(config, B, T) == measured_saved_bytes(model, loss)
    assert training_bytes(config, B, T).saved == saved_bytes(config, B, T)


def test_saved_bytes_of_the_four_shapes():
    found = [saved_bytes(plain(C, L, T, V), B, T) for C, L, B, T, V in SHAPES]
    assert found == [1_212_428, 5_062_668, 18_169_868, 18_128_908]


@pytest.mark.parametrize("shape", SHAPES)
def test_operations_within_three_per_cent_and_the_rule_within_ten(shape):
    config, _, loss = made(*shape)
    _, _, B, T, _ = shape
    counted = 2 * count_work(lambda: loss().backward()).total
    assert training_flops(config, T, B) / counted == pytest.approx(0.98, abs=0.01)
    assert rule_of_six(parameters(config).total, B * T) / counted == pytest.approx(0.97, abs=0.08)


def test_the_three_that_are_counted_do_not_count_scores_twice():
    """The rest of the gap is fused attention, which computes its scores once more going back."""
    config, _, loss = made(*SHAPES[0])
    counted = 2 * count_work(lambda: loss().backward()).total
    again = 2 * 2 * 8 * 32 * 32 * 32  # operations of the scores of two blocks, B T T C
    assert training_flops(config, 32, 8) + again == counted


# with few tokens the optimizer's step is the peak, and its temporary tensors count
STEPPING = [(256, 4, 1, 64, 512), (256, 8, 1, 16, 512), (512, 2, 1, 16, 512), (64, 1, 1, 8, 5000)]


@pytest.mark.parametrize("shape", SHAPES + STEPPING)
def test_the_peak_of_a_step_by_the_allocator(shape):
    config, model, loss = made(*shape)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=False)
    measured = step_bytes(model, optimizer, loss)
    assert measured / training_bytes(config, *shape[2:4]).peak == pytest.approx(1, abs=0.015)


def test_allocated_counts_what_lives_at_once():
    kept = []

    def run():
        first = torch.empty(1000)  # 4,000 bytes
        kept.append(torch.empty(500))
        del first
        torch.empty(250)

    found = allocated(run)
    assert (found.peak, found.left) == (6000, 2000)


def test_a_step_leaves_no_gradients_and_counts_state():
    config, model, loss = made(*SHAPES[0])
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, foreach=False)
    step_bytes(model, optimizer, loss)
    assert all(p.grad is None for p in model.parameters())
    assert training_bytes(config, 8, 32).optimizer == 8 * parameters(config).total


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"norm": "rms"}, "norm is 'rms'"),
        ({"norm_placement": "post"}, "norm_placement is 'post'"),
        ({"dropout": 0.1}, "dropout is 0.1"),
        ({"key_value_heads": 2}, "G is 2"),
        ({"hidden": 7}, "hidden_width is 7"),
        ({"positions": "rotary"}, "positions is 'rotary'"),
    ],
)
def test_saved_bytes_of_another_model_is_refused(changes, words):
    config = dataclasses.replace(plain(32, 2, 32, 64), **changes)
    with pytest.raises(ValueError, match=words):
        saved_bytes(config, 8, 32)


def test_impossible_numbers_are_refused():
    config = plain(32, 2, 32, 64)
    for call, words in (
        (lambda: saved_bytes(config, 0, 32), "batch is 0"),
        (lambda: saved_bytes(config, 1, 1), "length is 1"),
        (lambda: training_flops(config, 32, 0), "rows is 0"),
        (lambda: rule_of_six(0, 5), "N is 0"),
    ):
        with pytest.raises(ValueError, match=words):
            call()
