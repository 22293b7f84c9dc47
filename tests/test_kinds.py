"""The Decoder in every kind of today's parts: the ladder of invariants, and what each part does."""

import dataclasses

import pytest
import torch
from hypothesis import given

from helpers.counting.operations import count_work, forward_work
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.rotary import Rotary
from helpers.judging.invariants import ladder
from tests.small_models import CONTEXT, V, modern_configs, shaken, tokens_of, vectors
from tests.tiers import examples

PLAIN = {"vocab_size": V, "context": CONTEXT, "width": 8, "heads": 2, "pad_id": None}
PRE = {"norm_placement": "pre", "final_norm": True}


@given(modern_configs())
@examples(12)
def test_every_combination_holds_the_whole_ladder_C42_C49(config):
    for finding in ladder(shaken(Decoder(config))):
        assert finding.holds, str(finding)


@given(modern_configs())
@examples(25)
def test_the_readable_attention_gives_the_same_logits_C49(config):
    model = shaken(Decoder(config)).eval()
    fused = model(tokens_of(2, 6))
    for block in model.blocks:
        block.attention.fused = False
    assert torch.allclose(model(tokens_of(2, 6)), fused, atol=1e-4)


@given(modern_configs())
@examples(15)
def test_a_pass_multiplies_what_the_formula_says(config):
    model, tokens = Decoder(config).eval(), tokens_of(2, 5)
    for block in model.blocks:
        block.attention.fused = False
    wanted = forward_work(config, 5, batch=2)
    with torch.no_grad():
        counted = count_work(lambda: model(tokens))
    assert (counted.matrix, counted.attention) == (wanted.matrix + wanted.head, wanted.attention)


@given(modern_configs())
@examples(15)
def test_the_cache_of_a_model_holds_G_heads_of_width_D_C49(config):
    model = Decoder(config)
    cache = model.new_cache(2)
    with torch.no_grad():
        model(tokens_of(2, 5), cache=cache)
    numbers = 2 * config.blocks * 2 * config.G * config.D * 5
    assert cache.bytes() == cache.shape.bytes(5) == 4 * numbers


@given(modern_configs())
@examples(25)
def test_every_parameter_is_used(config):
    if config.experts is not None:  # which are asked depends on the tokens: here all are
        config = dataclasses.replace(config, experts_used=config.experts)
    model = shaken(Decoder(config))
    (model(torch.arange(V)[None]) * torch.linspace(-1, 2, V)).square().sum().backward()
    for name, parameter in model.named_parameters():
        quiet = name.endswith("attention.key.bias")  # may have no say at all
        quiet |= name == "blocks.0.attention.query.bias" and config.windows == (1,)
        if config.windows[-1] == 1 or 1 in config.windows:  # a token that sees only itself
            quiet |= any(part in name for part in (".query", ".key", "relative_bias"))
        if not quiet:
            assert parameter.grad is not None and (parameter.grad != 0).any(), name


def test_a_part_between_two_norms_and_two_parts_side_by_side():
    x = vectors(2, 4, 8)
    config = DecoderConfig(**PLAIN, norm_placement="both")
    block = shaken(Decoder(config)).blocks[0]
    y = x + block.attention_after_norm(block.attention(block.attention_norm(x)))
    y = y + block.feed_forward_after_norm(block.feed_forward(block.feed_forward_norm(y)))
    assert torch.allclose(block(x), y, atol=1e-6)
    block = shaken(
        Decoder(dataclasses.replace(config, norm_placement="pre", parallel=True))
    ).blocks[0]
    y = x + block.attention(block.attention_norm(x))
    y = y + block.feed_forward(block.feed_forward_norm(x))
    assert torch.allclose(block(x), y, atol=1e-6)


def test_what_stands_at_both_ends():
    model = shaken(Decoder(DecoderConfig(**PLAIN, embedding_scale=3.0, embedding_norm=True)))
    tokens = tokens_of(2, 4)
    rows = model.token_embedding(tokens) * 3.0 + model.position_embedding.weight[:4]
    assert torch.allclose(model.embed(tokens), model.embedding_norm(rows), atol=1e-6)
    capped = Decoder(DecoderConfig(**PLAIN, logit_cap=0.5))
    states = capped.states(tokens)
    wanted = 0.5 * torch.tanh(capped.head(states) / 0.5)
    assert torch.allclose(capped(tokens), wanted) and (capped(tokens).abs() < 0.5).all()
    assert torch.equal(capped.next_logits(tokens), capped(tokens)[:, -1])


def test_windows_by_block_are_seen_in_each_block_and_cached_by_the_widest():
    config = DecoderConfig(**PLAIN, **PRE, blocks=2, window=(2, 4))
    model = shaken(Decoder(config))
    seen = []
    for block in model.blocks:
        block.register_forward_pre_hook(lambda module, given: seen.append(given[1]))
    model(tokens_of(1, 6))
    assert [mask.sum(dim=-1).tolist() for mask in seen] == [[1, 2, 2, 2, 2, 2], [1, 2, 3, 4, 4, 4]]
    assert model.new_cache(1, "window").width == 4
    open_ended = Decoder(dataclasses.replace(config, window=(2, None)))
    with pytest.raises(ValueError, match="looks back without limit"):
        open_ended.new_cache(1, "window")


@pytest.mark.parametrize("positions", ["rotary", "alibi", "relative"])
def test_positions_inside_attention_depend_on_the_offset_only(positions):
    more = {"relative_reach": 6} if positions == "relative" else {}
    model = shaken(Decoder(DecoderConfig(**PLAIN, **PRE, positions=positions, **more))).eval()
    vector = vectors(1, 6, 8)
    turn = model._turn(vector, None, 0), model._turn(vector, None, 5)
    mask = model.mask(6)
    here, there = (model.through_blocks(vector, mask, turn=one) for one in turn)
    assert torch.allclose(here, there, atol=1e-4)
    order = [1, 0, 2, 3, 4, 5]  # and yet the order of the past is known to the last token
    assert not torch.allclose(
        model.through_blocks(vector[:, order], mask)[:, -1], here[:, -1], atol=1e-3
    )


def test_a_model_kept_in_16_bits_still_counts_angles_in_float32():
    model = Decoder(DecoderConfig(**PLAIN, **PRE, positions="rotary", rotary=Rotary())).bfloat16()
    x = torch.zeros(1, 3000, 8, dtype=torch.bfloat16)
    turn = model._turn(x, None, 0)
    assert turn.cos.dtype == torch.float32
    assert float(turn.cos[0, 0, 2049, 0]) == pytest.approx(float(torch.tensor(2049.0).cos()))
