"""The block: equal to torch's encoder and decoder layers, with any mask and a second sequence."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder import masks, model
from helpers.decoder.block import Block, BlockMemory
from helpers.decoder.config import DecoderConfig
from tests.small_models import (
    CONTEXT,
    configs,
    shaken,
    torch_layer,
    torch_layer_weights,
    vectors,
)
from tests.tiers import examples

# hidden from each query in torch's sense (True = must not attend), without helpers.decoder.masks
FUTURE = torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1)


def real_tokens(batch, length):
    """A token mask that hides one more at the right in each row, and never all of a row."""
    return torch.arange(length) < torch.arange(length, length - batch, -1).clamp(min=1)[:, None]


def memory_for(block, source, real=None):
    mask = None if real is None else masks.padding(real)
    return BlockMemory(*block.cross_attention.keys_values(source), mask)


# ---- the same numbers as torch ------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["train", "eval"])
@pytest.mark.parametrize("kind", ["none", "causal", "causal and padding"])
@given(configs(attention=True, dropout=0.0), st.integers(1, 3), st.integers(1, 6))
@examples(25)
def test_block_equals_transformer_encoder_layer_of_torch(mode, kind, config, batch, length):
    block = shaken(Block(config)).train(mode == "train")
    twin = torch_layer(config).train(mode == "train")
    twin.load_state_dict(torch_layer_weights(block), strict=True)
    x = vectors(batch, length, config.width)
    real = real_tokens(batch, length)
    mask = {
        "none": None,
        "causal": masks.causal(length),
        "causal and padding": masks.both(masks.causal(length), masks.padding(real)),
    }[kind]
    wanted = twin(
        x,
        src_mask=None if kind == "none" else FUTURE[:length, :length],
        src_key_padding_mask=~real if kind == "causal and padding" else None,
    )
    shown = real if kind == "causal and padding" else torch.ones_like(real)
    assert torch.allclose(block(x, mask)[shown], wanted[shown], atol=1e-5)


@pytest.mark.parametrize("kind", ["none", "causal", "causal and padding"])
@pytest.mark.parametrize("hide_source", [False, True])
@given(
    configs(attention=True, cross_attention=True, dropout=0.0),
    st.integers(1, 3),
    st.integers(1, 6),
    st.integers(1, 5),
)
@examples(20)
def test_block_with_a_second_sequence_equals_transformer_decoder_layer_of_torch(
    hide_source, kind, config, batch, length, source_length
):
    block = shaken(Block(config))
    twin = torch_layer(config)
    assert isinstance(twin, torch.nn.TransformerDecoderLayer)
    twin.load_state_dict(torch_layer_weights(block), strict=True)
    x = vectors(batch, length, config.width)
    source = vectors(batch, source_length, config.width, seed=1)
    real = real_tokens(batch, length)
    source_real = real_tokens(batch, source_length) if hide_source else None
    mask = {
        "none": None,
        "causal": masks.causal(length),
        "causal and padding": masks.both(masks.causal(length), masks.padding(real)),
    }[kind]
    wanted = twin(
        x,
        source,
        tgt_mask=None if kind == "none" else FUTURE[:length, :length],
        tgt_key_padding_mask=~real if kind == "causal and padding" else None,
        memory_key_padding_mask=~source_real if hide_source else None,
    )
    got = block(x, mask, memory=memory_for(block, source, source_real))
    shown = real if kind == "causal and padding" else torch.ones_like(real)
    assert got.shape == x.shape
    assert torch.allclose(got[shown], wanted[shown], atol=1e-5)


@given(configs(attention=True))
@examples(20)
def test_weights_of_torch_load_strictly_both_ways(config):
    block, twin = Block(config), shaken(torch_layer(config))
    qkv = zip(
        ("query", "key", "value"),
        twin.self_attn.in_proj_weight.chunk(3),
        twin.self_attn.in_proj_bias.chunk(3),
        strict=True,
    )
    weights = {}
    for name, weight, bias in qkv:
        weights |= {f"attention.{name}.weight": weight, f"attention.{name}.bias": bias}
    names = {"self_attn.out_proj": "attention.output", "linear1": "feed_forward.widen",
             "linear2": "feed_forward.narrow", "norm1": "attention_norm",
             "norm2": "feed_forward_norm"}  # fmt: skip
    for theirs, ours in names.items():
        part = twin.get_submodule(theirs)
        weights |= {f"{ours}.weight": part.weight, f"{ours}.bias": part.bias}
    block.load_state_dict(weights, strict=True)
    back = torch_layer_weights(block)
    assert set(back) == set(twin.state_dict())
    assert all(torch.equal(back[name], tensor) for name, tensor in twin.state_dict().items())


@given(configs(attention=True, dropout=0.0), st.integers(1, 6), st.data())
@examples(25)
def test_a_block_without_a_mask_is_an_encoder_block(config, length, data):
    block = shaken(Block(config))
    x = vectors(2, length, config.width)
    order = list(data.draw(st.permutations(range(length))))
    assert torch.allclose(block(x[:, order]), block(x)[:, order], atol=1e-5)


def test_it_can_be_had_from_the_model_file_as_well():
    assert model.Block is Block


# ---- a second sequence --------------------------------------------------------------------------


@given(configs(cross_attention=True, dropout=0.0), st.integers(1, 4), st.integers(1, 5), st.data())
@examples(25)
def test_hidden_places_of_the_second_sequence_change_nothing_and_shown_ones_do(
    config, length, source_length, data
):
    block = shaken(Block(config))
    x, source = vectors(2, length, config.width), vectors(2, source_length, config.width, seed=1)
    bits = data.draw(st.lists(st.booleans(), min_size=source_length, max_size=source_length))
    real = torch.tensor([bits, [True] * source_length])  # the first row may be hidden altogether
    before = block(x, memory=memory_for(block, source, real))
    assert before.isfinite().all()
    for s in range(source_length):
        changed = source.clone()
        changed[:, s] += 1.0
        after = block(x, memory=memory_for(block, changed, real))
        moved = (after != before).flatten(1).any(dim=1)
        assert moved.tolist() == real[:, s].tolist()


@given(configs(cross_attention=True, dropout=0.0), st.integers(1, 5), st.data())
@examples(25)
def test_the_order_of_the_second_sequence_does_not_matter(config, source_length, data):
    # what the places of a second sequence mean, the sequence itself must say
    block = shaken(Block(config))
    x, source = vectors(2, 3, config.width), vectors(2, source_length, config.width, seed=1)
    order = list(data.draw(st.permutations(range(source_length))))
    mixed = block(x, memory=memory_for(block, source[:, order]))
    assert torch.allclose(mixed, block(x, memory=memory_for(block, source)), atol=1e-5)


@given(configs(cross_attention=True, attention=False, dropout=0.0), st.integers(1, 5))
@examples(15)
def test_without_attention_of_its_own_only_the_second_sequence_is_looked_at(config, length):
    block = shaken(Block(config))
    x, source = vectors(2, length, config.width), vectors(2, 3, config.width, seed=1)
    memory = memory_for(block, source)
    whole = block(x, memory=memory)
    for t in range(length):
        assert torch.allclose(block(x[:, t : t + 1], memory=memory)[:, 0], whole[:, t], atol=1e-5)


@pytest.mark.parametrize("given_one", [True, False])
def test_a_second_sequence_missing_or_too_much_is_refused_by_name(given_one):
    config = DecoderConfig(vocab_size=5, context=5, width=4, heads=2, cross_attention=True)
    with_cross = Block(config)
    memory = memory_for(with_cross, vectors(1, 2, 4))
    x = vectors(1, 3, 4)
    if given_one:
        block = Block(DecoderConfig(vocab_size=5, context=5, width=4, heads=2))
        with pytest.raises(ValueError, match="memory is given, but this block has no cross-"):
            block(x, memory=memory)
    else:
        with pytest.raises(ValueError, match="memory is missing; this block looks at a second seq"):
            with_cross(x)
    assert with_cross(x, memory=memory).shape == x.shape


# ---- what came before ---------------------------------------------------------------------------


@given(configs(attention=True, dropout=0.0), st.integers(2, 6), st.data())
@examples(25)
def test_remembered_keys_and_values_give_the_last_rows_of_the_whole(config, length, data):
    block = shaken(Block(config))
    x = vectors(2, length, config.width)
    start = data.draw(st.integers(1, length - 1))
    kept = []

    def keep(key, value):
        kept.append((key, value))
        return key, value

    whole = block(x, masks.causal(length), remember=keep)
    (key, value), calls = kept[0], []

    def remember(new_key, new_value):
        calls.append(new_key.shape[2])
        return (
            torch.cat([key[:, :, :start], new_key], dim=2),
            torch.cat([value[:, :, :start], new_value], dim=2),
        )

    got = block(x[:, start:], masks.causal(length - start, length), remember=remember)
    assert calls == [length - start]  # only what is new is computed
    assert torch.allclose(got, whole[:, start:], atol=1e-5)


def test_only_its_own_attention_remembers_never_the_second_sequence():
    config = DecoderConfig(vocab_size=5, context=5, width=4, heads=2, cross_attention=True)
    block = shaken(Block(config))
    memory, calls = memory_for(block, vectors(1, 2, 4)), []

    def remember(key, value):
        calls.append(key)
        return key, value

    x = vectors(1, 3, 4)
    assert torch.equal(block(x, memory=memory, remember=remember), block(x, memory=memory))
    assert len(calls) == 1 and torch.equal(calls[0], block.attention.keys_values(
        block.attention_norm(x) if block.pre_norm else x)[0])  # fmt: skip
