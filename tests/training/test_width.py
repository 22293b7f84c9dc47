"""Rates that follow the width: a step changes the outputs of wide and narrow models alike."""

import pytest
import torch

from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.training.adamw import AdamW
from helpers.training.loop import next_token_loss
from helpers.training.width import start_for_width, width_factors

TOKENS = torch.randint(0, 64, (8, 32), generator=torch.Generator().manual_seed(0))


def model_of(width, **more):
    options = {"norm": "rms", "norm_placement": "pre", "final_norm": True, "pad_id": None}
    options |= {"vocab_size": 64, "context": 32, "width": width, "heads": 4} | more
    return Decoder(DecoderConfig(**options), seed=0)


def change(width, by_width):
    """How far one step of Adam moves the logits, in the mean of their squares' root."""
    model, factors = model_of(width), None
    if by_width:
        factors = width_factors(model, 16)
        start_for_width(model, 16)
    optimizer = AdamW(model.parameters(), factors=factors)
    before = model(TOKENS)
    next_token_loss(before, TOKENS).backward()
    optimizer.step(2.0**-8)
    with torch.no_grad():
        return float((model(TOKENS) - before).square().mean().sqrt())


def test_one_step_moves_the_logits_of_all_widths_alike():
    narrow, wide = (change(width, by_width=True) for width in (16, 256))
    assert 0.5 < wide / narrow < 2
    narrow, wide = (change(width, by_width=False) for width in (16, 256))
    assert wide / narrow > 4


def test_matrices_get_the_smaller_rate_and_rows_that_are_looked_up_do_not():
    model = model_of(64, positions="learned")
    factors = dict(
        zip([n for n, _ in model.named_parameters()], width_factors(model, 16), strict=True)
    )
    assert factors["token_embedding.weight"] == factors["position_embedding.weight"] == 1
    assert factors["final_norm.weight"] == factors["blocks.0.attention.query.bias"] == 1
    matrices = {n for n, p in model.named_parameters() if p.ndim == 2 and "embedding" not in n}
    assert {factors[name] for name in matrices} == {0.25} and len(matrices) > 6


def test_at_the_base_nothing_changes():
    model, other = model_of(16), model_of(16)
    assert set(width_factors(model, 16)) == {1.0}
    start_for_width(model, 16)
    assert torch.equal(model.head.weight, other.head.weight)


def test_a_head_that_is_the_embedding_is_refused():
    with pytest.raises(ValueError, match="two rates"):
        width_factors(model_of(16, tied_head=True, head_bias=False), 16)


def test_factors_multiply_the_rate_and_their_number_is_checked():
    weights = [torch.nn.Parameter(torch.ones(2)) for _ in range(2)]
    for weight in weights:
        weight.grad = torch.ones(2)
    AdamW(weights, factors=[1.0, 0.25]).step(0.01)
    moved = [float((1 - weight.detach()).mean()) for weight in weights]
    assert moved == pytest.approx([0.01, 0.0025], rel=1e-4)
    with pytest.raises(ValueError, match="1 factors for 2 weights"):
        AdamW(weights, factors=[1.0])
    assert AdamW(weights).settings != AdamW(weights, factors=[1.0, 0.5]).settings
