"""The decoder: equal to torch's encoder layer, causal, blind to padding, quiet in evaluation."""

import dataclasses
import math
from functools import partial

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder import masks
from helpers.decoder.cache import CacheShape, GrowingCache, PreallocatedCache, WindowCache
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoder.modes import evaluating
from helpers.decoding.generation import generate
from helpers.judging.influence import check_no_leak, check_sees_all, influence_by_change
from helpers.languages.tokens import pad_rows
from helpers.training.loop import next_token_loss
from tests.small_models import (
    CONTEXT,
    POSITIONS,
    V,
    configs,
    rows,
    shaken,
    tokens_of,
    torch_layer,
    torch_layer_weights,
    vectors,
)
from tests.tiers import examples

LESSON = DecoderConfig(vocab_size=12, context=9)  # lesson 05: C=32, H=4, one block
# hidden from each query in torch's sense (True = must not attend), without helpers.decoder.masks
FUTURE = torch.ones(CONTEXT, CONTEXT, dtype=torch.bool).triu(1)

GOOD = torch.tensor([[1, 3, 4], [1, 3, 8]])
REAL = torch.ones(2, 3, dtype=torch.bool)


# ---- the same numbers as torch ------------------------------------------------------------------


@given(
    configs(attention=True, dropout=0.0, cross_attention=st.booleans()),
    st.integers(1, 3),
    st.integers(1, 6),
)
@examples(40)
def test_decoder_equals_a_stack_of_torch_layers(config, batch, length):
    model = shaken(Decoder(config))
    tokens, source, memory = tokens_of(batch, length), vectors(batch, 3, config.width), None
    if config.cross_attention:
        memory = model.memory_of(source)
    x = F.embedding(tokens, model.token_embedding.weight)
    if config.positions == "learned":
        x = x + model.position_embedding.weight[:length]
    elif config.positions == "sinusoidal":
        x = x + model.position_table[:length]
    for block in model.blocks:
        twin = torch_layer(config)
        twin.load_state_dict(torch_layer_weights(block), strict=True)
        hidden = FUTURE[:length, :length] if config.causal else None
        x = twin(x, source, hidden) if config.cross_attention else twin(x, hidden)
    if config.final_norm:
        x = F.layer_norm(x, [config.width], model.final_norm.weight, model.final_norm.bias)
    wanted = F.linear(x, model.head.weight, model.head.bias)
    logits = model(tokens, memory=memory)
    assert logits.shape == (batch, length, V) and logits.dtype == torch.float32
    assert torch.allclose(logits, wanted, atol=1e-4)
    assert torch.allclose(model.states(tokens, memory=memory), x, atol=1e-4)


@given(configs(attention=False, dropout=0.0), st.integers(1, 4))
@examples(30)
def test_without_attention_every_position_stands_alone(config, length):
    model = shaken(Decoder(config))
    assert not any("attention" in name for name in model.state_dict())
    tokens = tokens_of(2, length)
    x = model.embed(tokens)
    for block in model.blocks:
        norm = block.feed_forward_norm
        x = x + block.feed_forward(norm(x)) if block.pre_norm else norm(x + block.feed_forward(x))
    assert torch.allclose(model(tokens), model.head(model.final_norm(x)), atol=1e-6)
    changed = (tokens[:, 0] + 1) % V
    other = model(torch.cat([changed[:, None], tokens[:, 1:]], dim=1))
    assert torch.equal(other[:, 1:], model(tokens)[:, 1:])


@given(configs(attention=True), st.integers(1, 6))
@examples(30)
def test_the_readable_attention_gives_the_same_logits(config, length):
    model = shaken(Decoder(config)).eval()
    fused = model(tokens_of(2, length))
    for block in model.blocks:
        block.attention.fused = False
    assert torch.allclose(model(tokens_of(2, length)), fused, atol=1e-4)


# ---- sizes --------------------------------------------------------------------------------------


def test_the_model_of_lesson_05_has_13772_parameters():
    assert Decoder(LESSON).parameter_count() == 13_772
    assert Decoder(LESSON).blocks[0].feed_forward.widen.out_features == 128  # 4 C


@given(configs(cross_attention=st.booleans()))
@examples(50)
def test_parameter_count_is_the_sum_one_can_write_down(config):
    c, hidden = config.width, config.hidden or 4 * config.width
    block = 2 * c * hidden + hidden + c + 2 * c
    block += (4 * (c * c + c) + 2 * c) * (config.attention + config.cross_attention)
    wanted = V * c + config.blocks * block + c * V + V
    wanted += CONTEXT * c if config.positions == "learned" else 0
    wanted += 2 * c if config.final_norm else 0
    assert Decoder(config).parameter_count() == wanted


# ---- who depends on whom ------------------------------------------------------------------------


@given(configs(attention=True), st.integers(2, 6), st.data())
@examples(40)
def test_a_causal_decoder_ignores_later_tokens_and_heeds_earlier_ones(config, length, data):
    model = shaken(Decoder(config)).eval()
    tokens = tokens_of(1, length)
    s = data.draw(st.integers(0, length - 1))
    moved = torch.zeros(length, dtype=torch.bool)
    for shift in range(1, V):
        changed = tokens.clone()
        changed[0, s] = (changed[0, s] + shift) % V
        moved |= (model(changed) != model(tokens))[0].any(dim=-1)
    if config.blocks == 0:
        wanted = [t == s for t in range(length)]
    else:
        wanted = [t >= s or not config.causal for t in range(length)]
    assert moved.tolist() == wanted


@given(configs(causal=True, attention=True, window=st.integers(1, 7)), st.integers(1, 6))
@examples(15)
def test_a_window_shows_each_block_the_last_tokens_only_C34(config, length):
    model = shaken(Decoder(config)).double().eval()
    influence = influence_by_change(model, tokens_of(1, length), V)
    reach = masks.window(length, width=1 + config.blocks * (config.window - 1))
    check_no_leak(influence, reach)
    check_sees_all(influence, reach)


@pytest.mark.parametrize("window, wanted", [(4, [1, 2, 3, 4, 4, 4]), (1, [1] * 6), (6, None)])
def test_the_mask_of_a_window_C34(window, wanted):
    model = Decoder(DecoderConfig(vocab_size=V, context=CONTEXT, window=window))
    assert model.mask(6).sum(dim=1).tolist() == (wanted or [1, 2, 3, 4, 5, 6])
    if wanted is None:
        assert int(model.mask(6).sum()) == 21


@given(configs(causal=True, window=st.none() | st.integers(1, 7)), rows(), st.data())
@examples(30)
def test_the_mask_of_the_last_queries_is_the_end_of_the_mask_of_all_C03(config, batch, data):
    model = Decoder(config)
    _, real = pad_rows(batch, 7, "left")
    token_mask = data.draw(st.sampled_from([None, real]))
    queries = data.draw(st.integers(1, 7))
    shape = (len(batch), 1, 7, 7)
    whole = model.mask(7, token_mask).expand(shape)
    part = model.mask(queries, token_mask, keys=7)
    if part is None:  # everybody may see everybody
        part = torch.tensor(True)
    assert torch.equal(part.expand(len(batch), 1, queries, 7), whole[:, :, 7 - queries :])


@given(configs(causal=True), st.integers(1, 6))
@examples(30)
def test_logits_of_a_beginning_are_the_beginning_of_the_logits(config, length):
    model = shaken(Decoder(config)).eval()
    tokens = tokens_of(2, length)
    whole = model(tokens)
    for end in range(1, length + 1):
        assert torch.allclose(model(tokens[:, :end]), whole[:, :end], atol=1e-5)


@given(configs(positions="none", blocks=1, causal=True), st.permutations(range(5)))
@examples(25)
def test_one_block_without_positions_cannot_tell_the_order_of_the_past(config, order):
    model = shaken(Decoder(config)).eval()
    tokens = tokens_of(2, 6)
    mixed = torch.cat([tokens[:, list(order)], tokens[:, 5:]], dim=1)
    assert torch.allclose(model(mixed)[:, -1], model(tokens)[:, -1], atol=1e-5)


# ---- C05: padding changes nothing ---------------------------------------------------------------


@pytest.mark.parametrize("positions", POSITIONS)
@pytest.mark.parametrize("pads", [0, 1, 3, 8])
def test_left_pads_change_neither_logits_nor_loss_C05(positions, pads):
    prompt = [1, 3, 5, 4]
    model = shaken(Decoder(DecoderConfig(vocab_size=V, context=12, blocks=2, positions=positions)))
    alone = torch.tensor([prompt])
    tokens, token_mask = pad_rows([prompt], pads + 4, side="left")
    logits = model(tokens, token_mask)
    assert torch.allclose(logits[:, pads:], model(alone), atol=1e-5)
    loss = next_token_loss(logits, tokens, token_mask)
    wanted = F.cross_entropy(model(alone)[0, :-1], alone[0, 1:])
    assert abs(float(loss.detach()) - float(wanted.detach())) < 1e-5


@given(configs(), rows(), st.integers(0, 6), st.sampled_from(["left", "right"]), st.data())
@examples(60)
def test_a_row_is_the_same_alone_and_in_any_padded_batch_C05(config, batch, extra, side, data):
    model = shaken(Decoder(config)).eval()
    pad_id = data.draw(st.integers(0, V - 1))  # what stands at padding does not matter
    tokens, token_mask = pad_rows(batch, max(map(len, batch)) + extra, side, pad_id)
    together = model(tokens, token_mask)
    assert together.isfinite().all()
    for i, row in enumerate(batch):
        assert torch.allclose(together[i, token_mask[i]], model(torch.tensor([row]))[0], atol=1e-5)
    losses = next_token_loss(together, tokens, token_mask, reduction="sum")
    wanted = sum(
        F.cross_entropy(model(torch.tensor([row]))[0, :-1], torch.tensor(row[1:]), reduction="sum")
        for row in batch
        if len(row) > 1
    )
    assert abs(float(losses.detach()) - float(torch.as_tensor(wanted).detach())) < 1e-4


@given(configs(causal=True), rows())
@examples(25)
def test_right_padding_needs_no_mask_in_a_causal_decoder_C05(config, batch):
    model = shaken(Decoder(config)).eval()
    tokens, token_mask = pad_rows(batch, 8)
    with_mask, without = model(tokens, token_mask), model(tokens)
    assert torch.allclose(with_mask[token_mask], without[token_mask], atol=1e-5)


@given(configs(dropout=0.0), rows(), st.integers(0, 5))
@examples(25)
def test_gradients_are_finite_with_left_padding_C01(config, batch, extra):
    model = shaken(Decoder(config))
    tokens, token_mask = pad_rows(batch, max(map(len, batch)) + extra, "left")
    next_token_loss(model(tokens, token_mask), tokens, token_mask).backward()
    assert all(p.grad is None or p.grad.isfinite().all() for p in model.parameters())


def test_embedding_adds_the_position_of_the_real_token_C05():
    model = Decoder(DecoderConfig(vocab_size=V, context=12))
    tokens, token_mask = pad_rows([[4, 5]], 4, "left")
    wanted = model.token_embedding.weight[[4, 5]] + model.position_embedding.weight[[0, 1]]
    assert torch.equal(model.embed(tokens, token_mask)[0, 2:], wanted)


@given(configs(dropout=0.0), rows(), st.data())
@examples(25)
def test_a_later_piece_is_placed_where_it_stands_in_the_whole_C37(config, batch, data):
    model = Decoder(config)
    tokens, token_mask = pad_rows(batch, 6, "left")
    start = data.draw(st.integers(0, 5))
    past = token_mask[:, :start].sum(dim=1)
    piece = model.embed(tokens[:, start:], token_mask[:, start:], past=past)
    shown = token_mask[:, start:]
    assert torch.equal(piece[shown], model.embed(tokens, token_mask)[:, start:][shown])
    plain = tokens_of(2, 6)  # without padding one number stands for all rows
    assert torch.equal(model.embed(plain[:, start:], past=start), model.embed(plain)[:, start:])


# ---- pieces of a pass ---------------------------------------------------------------------------


@given(configs(cross_attention=st.booleans()), rows())
@examples(25)
def test_next_logits_are_those_after_the_last_token(config, batch):
    model = shaken(Decoder(config)).eval()
    tokens, token_mask = pad_rows(batch, 7, "left")
    memory = None
    if config.cross_attention:
        memory = model.memory_of(vectors(len(batch), 3, config.width))
    whole, seen = model(tokens, token_mask, memory=memory), []
    model.head.register_forward_pre_hook(lambda module, given: seen.append(given[0].shape))
    got = model.next_logits(tokens, token_mask, memory=memory)
    assert torch.allclose(got, whole[:, -1], atol=1e-5)
    assert seen == [(len(batch), config.width)]  # the head is spared the other positions


@given(configs(cross_attention=st.booleans()), rows())
@examples(25)
def test_the_states_are_the_embedding_through_all_blocks(config, batch):
    model = shaken(Decoder(config)).eval()
    tokens, token_mask = pad_rows(batch, 7, "left")
    memory = None
    if config.cross_attention:
        memory = model.memory_of(vectors(len(batch), 3, config.width))
    states = model.states(tokens, token_mask, memory=memory)
    x = model.through_blocks(
        model.embed(tokens, token_mask), model.mask(7, token_mask), memory=memory
    )
    assert torch.equal(x, states)
    rows_of_tokens = model.token_embedding(tokens)
    assert torch.equal(model.states_of(rows_of_tokens, token_mask, memory=memory), states)
    assert torch.equal(model(tokens, token_mask, memory=memory), model.head(states))


@pytest.mark.parametrize("kind", ["growing", "preallocated", "window"])
@given(st.data())
@examples(12)
def test_vectors_in_front_of_tokens_read_into_a_cache_as_in_one_pass(kind, data):
    window = st.integers(1, 7) if kind == "window" else st.none() | st.integers(1, 7)
    config = data.draw(configs(causal=True, dropout=0.0, window=window))
    model = shaken(Decoder(config)).eval()
    front, tokens = vectors(2, 3, config.width), tokens_of(2, 4)
    with torch.no_grad():
        cache = model.new_cache(2, kind)
        first = model.states_of(front, cache=cache)
        second = model.states(tokens, cache=cache)
        whole = model.states_of(torch.cat([front, model.token_embedding(tokens)], dim=1))
    assert torch.allclose(torch.cat([first, second], dim=1), whole, atol=1e-5)


@pytest.mark.parametrize(
    "shape, token_mask, message",
    [
        ((2, 3), None, r"vectors has shape \[2, 3\]; give \[B, T, C\] with C=32"),
        ((2, 3, 31), None, r"vectors has shape \[2, 3, 31\]; give \[B, T, C\] with C=32"),
        ((0, 3, 32), None, r"vectors has shape \[0, 3, 32\].* B and T of 1 or more"),
        ((2, 0, 32), None, r"vectors has shape \[2, 0, 32\]"),
        ((2, 10, 32), None, "T=10 columns; this model's context is 9"),
        ((2, 3, 32), torch.ones(2, 4).bool(), r"token_mask has shape \[2, 4\]"),
        ((2, 3, 32), torch.zeros(2, 3).bool(), "token_mask row 0 has no real token"),
    ],
)
def test_vectors_that_do_not_fit_are_refused_by_name(shape, token_mask, message):
    with pytest.raises(ValueError, match=message):
        Decoder(LESSON).states_of(torch.zeros(shape), token_mask)


# ---- the cache a model makes --------------------------------------------------------------------


@given(configs(causal=True, window=st.integers(1, 15)), st.integers(1, 4), st.data())
@examples(25)
def test_a_new_cache_has_the_models_own_shape(config, batch, data):
    dtype = data.draw(st.sampled_from([torch.float32, torch.float64, torch.bfloat16]))
    model = Decoder(config).to(dtype)
    shape = CacheShape(
        blocks=config.blocks if config.attention else 0,
        batch=batch,
        heads=config.heads,
        head_width=config.width // config.heads,
        dtype=dtype,
        device=torch.device("cpu"),
    )
    growing, window = model.new_cache(batch), model.new_cache(batch, "window")
    room = data.draw(st.none() | st.integers(1, 30))
    reserved = model.new_cache(batch, "preallocated", capacity=room)
    assert type(growing) is GrowingCache and type(window) is WindowCache
    assert type(reserved) is PreallocatedCache
    assert window.width == config.window
    assert reserved.capacity == (config.context if room is None else room)
    for cache in (growing, window, reserved):
        assert cache.shape == shape and cache.length == 0
        assert cache.token_mask.shape == (batch, 0)
        model.check_cache(cache, batch, 1)
    assert growing.bytes() == window.bytes() == 0
    assert reserved.bytes() == shape.bytes(reserved.capacity)


@pytest.mark.parametrize(
    "batch, kind, options, message",
    [
        (1, "paged", {}, "kind is 'paged'; allowed are 'growing', 'preallocated', 'window'"),
        (1, None, {}, "kind is None; allowed are 'growing'"),
        (1, "growing", {"capacity": 8}, "capacity=8 is for kind='preallocated', not for 'growing'"),
        (1, "window", {"capacity": 8}, "capacity=8 is for kind='preallocated', not for 'window'"),
        (1, "preallocated", {"capacity": 0}, "capacity is 0; give a whole number of 1 or more"),
        (1, "preallocated", {"capacity": 2.5}, "capacity is 2.5; give a whole number"),
        (1, "preallocated", {"capacity": True}, "capacity is True; give a whole number"),
        (1, "window", {}, "looks back without limit, so a window cache would forget what it needs"),
        (0, "growing", {}, "batch is 0; give a whole number of 1 or more"),
        (-1, "preallocated", {}, "batch is -1; give a whole number"),
        (1.5, "growing", {}, "batch is 1.5; give a whole number"),
    ],
)
def test_an_impossible_cache_is_refused_by_name(batch, kind, options, message):
    with pytest.raises(ValueError, match=message):
        Decoder(LESSON).new_cache(batch, kind, **options)


def test_check_cache_says_what_does_not_fit_and_changes_nothing():
    model = Decoder(LESSON)
    cache = model.new_cache(2)
    with torch.no_grad():
        model(GOOD, cache=cache)
    for batch, new, message in (
        (3, 1, "the cache is for batch=2, but model and tokens need batch=3"),
        (2, 7, "the cache holds 3 tokens and 7 more exceed the context of 9"),
    ):
        with pytest.raises(ValueError, match=message):
            model.check_cache(cache, batch, new)
    with pytest.raises(ValueError, match="the cache holds keys of another model"):
        Decoder(LESSON).check_cache(cache, 2, 1)
    assert model.check_cache(cache, 2, 6) is None and cache.length == 3


# ---- a second sequence --------------------------------------------------------------------------


def with_memory(**options):
    fixed = {"blocks": st.integers(1, 3), "cross_attention": True, "dropout": 0.0}
    return configs(**fixed | options)


@given(with_memory(), st.integers(1, 3), st.integers(1, 5))
@examples(20)
def test_memory_holds_the_keys_and_values_of_each_block(config, batch, length):
    model, source = shaken(Decoder(config)), vectors(batch, length, config.width)
    real = torch.arange(length).expand(batch, length) < 2
    for source_mask in (None, real):
        memory = model.memory_of(source, source_mask)
        assert len(memory) == config.blocks
        for block, part in zip(model.blocks, memory, strict=True):
            key, value = block.cross_attention.keys_values(source)
            assert torch.equal(part.key, key) and torch.equal(part.value, value)
            size = (batch, config.heads, length, config.width // config.heads)
            assert part.key.shape == part.value.shape == size
            if source_mask is None:
                assert part.mask is None
            else:
                assert torch.equal(part.mask, real[:, None, None, :])


@pytest.mark.parametrize("kind", ["growing", "preallocated", "window"])
@given(st.data())
@examples(20)
def test_memory_made_once_serves_every_cached_step(kind, data):
    window = st.integers(1, 7) if kind == "window" else st.none() | st.integers(1, 7)
    config = data.draw(with_memory(causal=True, window=window))
    model = shaken(Decoder(config)).eval()
    tokens, token_mask = pad_rows(data.draw(rows()), 7, "left")
    source = vectors(len(tokens), 5, config.width)
    source_mask = torch.arange(5) < torch.tensor([5, 2, 1])[: len(tokens), None]
    once, cache = model.memory_of(source, source_mask), model.new_cache(len(tokens), kind)
    whole = model(tokens, token_mask, memory=once)
    start = 0
    with torch.no_grad():
        for size in data.draw(st.sampled_from([[7], [4, 3], [1] * 7, [2, 1, 4]])):
            piece = slice(start, start + size)
            got = model(tokens[:, piece], token_mask[:, piece], cache=cache, memory=once)
            shown = token_mask[:, piece]
            assert torch.allclose(got[shown], whole[:, piece][shown], atol=1e-5)
            start += size
            if not token_mask[:, :start].any(dim=1).all():
                continue  # without a cache every row needs a real token
            again = model.memory_of(source, source_mask)  # as if made anew for this step
            part = model(tokens[:, :start], token_mask[:, :start], memory=again)
            assert torch.allclose(part[:, piece][shown], got[shown], atol=1e-5)
    for i in range(len(tokens)):  # and as each row alone, with what it may see of its own source
        alone = model.memory_of(source[i : i + 1, source_mask[i]])
        row = model(tokens[i, token_mask[i]][None], memory=alone)
        assert torch.allclose(row[0], whole[i, token_mask[i]], atol=1e-5)


@given(with_memory(), st.integers(1, 4), st.data())
@examples(20)
def test_hidden_places_of_the_source_change_nothing_and_shown_ones_do(config, length, data):
    model, tokens = shaken(Decoder(config)).double(), tokens_of(2, length)
    source = vectors(2, 4, config.width).double()
    bits = data.draw(st.lists(st.booleans(), min_size=8, max_size=8))
    real = torch.tensor(bits).view(2, 4)  # a row may be hidden altogether
    before = model(tokens, memory=model.memory_of(source, real))
    assert before.isfinite().all()
    for s in range(4):
        changed = source.clone()
        changed[:, s] += 1.0
        after = model(tokens, memory=model.memory_of(changed, real))
        moved = (after != before).any(dim=2)  # [B, T]
        assert moved.tolist() == real[:, s : s + 1].expand(2, length).tolist()


@given(with_memory(), st.integers(1, 4))
@examples(15)
def test_gradients_reach_the_source_through_every_block(config, length):
    model, source = shaken(Decoder(config)), vectors(2, 3, config.width).requires_grad_()
    model(tokens_of(2, length), memory=model.memory_of(source)).square().sum().backward()
    assert source.grad.isfinite().all() and (source.grad != 0).any(dim=2).all()
    for block in model.blocks:
        grad = block.cross_attention.value.weight.grad
        assert grad.isfinite().all() and (grad != 0).any()


@given(with_memory(attention=True, causal=True), st.integers(1, 5))
@examples(15)
def test_with_a_second_sequence_its_own_past_is_still_all_it_sees(config, length):
    model = shaken(Decoder(config)).double()
    source = vectors(1, 3, config.width).double()
    influence = influence_by_change(
        lambda tokens: model(tokens, memory=model.memory_of(source)), tokens_of(1, length), V
    )
    check_no_leak(influence, masks.causal(length))
    check_sees_all(influence, masks.causal(length))


CROSS = DecoderConfig(vocab_size=12, context=9, blocks=2, cross_attention=True)


SOURCE = torch.zeros(2, 3, 32)


@pytest.mark.parametrize(
    "source, source_mask, message",
    [
        (SOURCE[0], None, r"source has shape \[3, 32\]; give \[B, S, C\] with C=32"),
        (SOURCE[..., :31], None, r"source has shape \[2, 3, 31\]; give \[B, S, C\] with C=32"),
        (SOURCE[:, :0], None, r"source has shape \[2, 0, 32\]; .* S of 1 or more"),
        (SOURCE.double(), None, "source is torch.float64 on cpu, the model torch.float32 on cpu"),
        (SOURCE.long(), None, "source is torch.int64 on cpu, the model"),
        (SOURCE.to("meta"), None, "source is torch.float32 on meta, the model"),
        (SOURCE, REAL.float(), r"source_mask is torch.float32 \[2, 3\]; give torch.bool"),
        (SOURCE, REAL[:1], r"source_mask is torch.bool \[1, 3\]; .* \[B, S\] = \[2, 3\]"),
        (SOURCE, REAL[:, :2], r"source_mask is torch.bool \[2, 2\]"),
        (SOURCE, REAL[0], r"source_mask is torch.bool \[3\]"),
    ],
)
def test_a_source_that_does_not_fit_is_refused_by_name(source, source_mask, message):
    with pytest.raises(ValueError, match=message):
        Decoder(CROSS).memory_of(source, source_mask)


def test_memory_missing_or_too_much_or_of_other_rows_is_refused_before_anything_is_computed():
    model, plain, source = Decoder(CROSS), Decoder(LESSON), vectors(2, 3, 32)
    memory = model.memory_of(source)
    cases = [
        (model, None, "this model looks at a second sequence: give memory=model.memory_of"),
        (plain, memory, "memory is given, but this model has no cross-attention"),
        (model, model.memory_of(source[:1]), "memory is of 1 rows, the tokens of 2"),
        (model, memory[:1], "memory has 1 entries, this model 2 blocks"),
        (model, [*memory, memory[0]], "memory has 3 entries, this model 2 blocks"),
        (model, [], "memory has 0 entries, this model 2 blocks"),
    ]
    for which, given_one, message in cases:
        cache, calls = which.new_cache(2), []
        note = partial(lambda calls, *_: calls.append("computed"), calls)
        hook = which.token_embedding.register_forward_hook(note)
        for options in ({}, {"cache": cache}):
            for entry in (which, which.states, which.next_logits):
                with torch.no_grad(), pytest.raises(ValueError, match=message):
                    entry(GOOD, memory=given_one, **options)
        hook.remove()
        assert not calls and cache.length == 0
    with pytest.raises(ValueError, match=r"has no cross-attention; DecoderConfig\.cross_att"):
        plain.memory_of(source)
    assert model(GOOD, memory=memory).shape == (2, 3, 12)


# ---- C15: evaluation is quiet, and leaves the mode as it was ------------------------------------


@given(configs(dropout=0.5), st.integers(1, 6))
@examples(50)
def test_dropout_is_off_in_evaluation_C15(config, length):
    model = Decoder(config, seed=3).eval()
    tokens = tokens_of(2, length)
    first, second = model(tokens), model(tokens)
    plain = Decoder(dataclasses.replace(config, dropout=0.0), seed=3)
    assert torch.equal(first, second)
    assert torch.equal(first, plain.eval()(tokens))
    assert torch.equal(first, plain.train()(tokens))
    with evaluating(model.train()):
        assert torch.equal(model(tokens), first)


@pytest.mark.parametrize("norm_placement", ["post", "pre"])
def test_dropout_is_on_in_training_after_the_embedding_and_after_each_part_C15(norm_placement):
    config = DecoderConfig(vocab_size=V, context=12, dropout=0.5, norm_placement=norm_placement)
    model = Decoder(config)
    tokens = tokens_of(2, 6)
    places = [model.dropout, model.blocks[0].dropout]
    assert not torch.equal(model(tokens), model(tokens))
    calls = []
    for place in places:
        place.register_forward_hook(lambda module, given, out: calls.append(module))
    model(tokens)
    assert calls == [places[0], places[1], places[1]]  # embedding, attention, feed-forward
    for place in places:  # each alone makes two forwards differ
        model.eval()
        place.train()
        assert not torch.equal(model(tokens), model(tokens))


# ---- C73: dropout by its property, the CPU by default -------------------------------------------


def test_dropout_of_one_half_gives_zeros_and_twos_C73():
    dropout = Decoder(DecoderConfig(vocab_size=V, context=12, dropout=0.5)).dropout
    out = dropout(torch.ones(10_000))
    assert set(out.unique().tolist()) <= {0.0, 2.0}
    assert abs(float((out == 2).float().mean()) - 0.5) < 0.03
    assert torch.equal(dropout.eval()(torch.ones(10_000)), torch.ones(10_000))


@given(st.floats(0.0, 0.9))
@examples(20)
def test_dropout_keeps_its_share_and_scales_it_up_C73(share):
    model = Decoder(DecoderConfig(vocab_size=V, context=12, dropout=share))
    for dropout in (model.dropout, model.blocks[0].dropout):
        if dropout is None:  # a block without dropout has no such part
            assert share == 0
            continue
        out = dropout(torch.ones(10_000))
        kept = out != 0
        assert torch.allclose(out[kept], torch.full_like(out[kept], 1 / (1 - share)))
        assert abs(float(kept.float().mean()) - (1 - share)) < 0.03


@given(configs())
@examples(20)
def test_everything_is_on_the_cpu_unless_asked_C73(config):
    model = Decoder(config)
    assert {x.device.type for x in (*model.parameters(), *model.buffers())} == {"cpu"}
    assert model(tokens_of(1, 3)).device.type == "cpu"
    if config.positions == "sinusoidal":  # the table moves along with the weights
        assert model.to("meta").position_table.device.type == "meta"


def test_angles_stay_in_float32_when_the_model_is_made_shorter_C42():
    config = DecoderConfig(vocab_size=V, context=4000, positions="rotary", heads=4)
    at, x = torch.full((1,), 2049), torch.zeros(1, 1, config.width)
    exact, short = Decoder(config), Decoder(config).bfloat16()
    assert torch.equal(exact._turn(x, None, at).cos, short._turn(x.bfloat16(), None, at).cos)


# ---- first weights ------------------------------------------------------------------------------


@given(configs(), st.integers(0, 1000))
@examples(30)
def test_the_seed_and_nothing_else_decides_the_first_weights_C73(config, seed):
    torch.manual_seed(1)
    first = Decoder(config, seed=seed).state_dict()
    torch.manual_seed(2)
    again = Decoder(config, seed=seed).state_dict()
    other = Decoder(config, seed=seed + 1).state_dict()
    assert all(torch.equal(first[name], again[name]) for name in first)
    assert not torch.equal(first["head.weight"], other["head.weight"])


@given(configs())
@examples(30)
def test_first_weights_lie_in_their_bounds_and_fill_them(config):
    model = Decoder(config)
    for module in model.modules():
        if isinstance(module, nn.Linear):
            bound = 1 / math.sqrt(module.in_features)
            assert (module.bias == 0).all()
        elif isinstance(module, nn.Embedding):
            bound = math.sqrt(3)
        else:
            continue
        largest = float(module.weight.detach().abs().max())
        assert 0.6 * bound < largest <= bound
    if config.pad_id is not None:
        assert (model.token_embedding.weight[config.pad_id] == 0).all()


def test_the_row_of_the_pad_token_is_zero_and_stays_zero():
    model = Decoder(LESSON)
    tokens = torch.tensor([[1, 0, 3, 0]])
    next_token_loss(model(tokens), tokens).backward()
    grad = model.token_embedding.weight.grad
    assert (grad[0] == 0).all() and (grad[3] != 0).any()
    free = Decoder(dataclasses.replace(LESSON, pad_id=None))
    assert (free.token_embedding.weight[0] != 0).any()


@given(configs(blocks=2, dropout=0.0))
@examples(25)
def test_every_parameter_is_used(config):
    model = shaken(Decoder(config))
    tokens = torch.arange(V)[None]
    (model(tokens) * torch.linspace(-1, 2, V)).square().sum().backward()
    for name, parameter in model.named_parameters():
        # adding one vector to every key changes no weight: the key's bias has no say at all
        if not name.endswith("attention.key.bias"):
            assert parameter.grad is not None and (parameter.grad != 0).any(), name


# ---- saving, loading, other dtypes --------------------------------------------------------------


@given(configs())
@examples(25)
def test_saved_weights_load_strictly_and_give_the_same_logits(config):
    model = shaken(Decoder(config)).eval()
    other = Decoder(config, seed=9).eval()
    other.load_state_dict(model.state_dict(), strict=True)
    assert torch.equal(other(tokens_of(2, 4)), model(tokens_of(2, 4)))
    assert {name for name, _ in model.named_parameters()} == set(model.state_dict())  # no tables
    missing = model.state_dict()
    del missing["head.bias"]
    with pytest.raises(RuntimeError, match=r"head\.bias"):
        other.load_state_dict(missing)


@given(configs())
@examples(25)
def test_a_model_in_double_precision_gives_the_same_logits(config):
    model = Decoder(config).eval()
    single = model(tokens_of(2, 5))
    double = model.double()(tokens_of(2, 5))
    assert double.dtype == torch.float64
    assert torch.allclose(double.float(), single, atol=1e-4)


@given(configs(final_norm=True))
@examples(20)
def test_the_final_norm_stands_before_the_head(config):
    states = Decoder(config).eval().states(tokens_of(2, 5))
    assert torch.allclose(states.mean(dim=-1), torch.zeros(2, 5), atol=1e-5)
    tokens = tokens_of(2, 5)
    model = Decoder(config).eval()
    assert torch.equal(model(tokens), model.head(model.states(tokens)))


# ---- bad tokens: refused before anything is computed --------------------------------------------


@pytest.mark.parametrize(
    "tokens, token_mask, error, message",
    [
        ([[1, 3]], None, TypeError, "tokens is list; give a torch tensor of dtype int64"),
        (GOOD.int(), None, TypeError, "tokens is torch.int32; give"),
        (GOOD.float(), None, TypeError, "tokens is torch.float32; give"),
        (GOOD[0], None, ValueError, r"tokens has shape \[3\]; give \[B, T\]"),
        (GOOD[:0], None, ValueError, "tokens has an empty batch"),
        (GOOD[:, :0], None, ValueError, "tokens has empty rows"),
        (torch.tensor([[1, 12]]), None, ValueError, "unknown id 12; allowed are 0 to 11"),
        (torch.tensor([[1, -1]]), None, ValueError, "unknown id -1; allowed are 0 to 11"),
        (torch.ones(1, 10).long(), None, ValueError, "T=10 columns; this model's context is 9"),
        (GOOD.to("meta"), None, ValueError, "tokens are on meta, the model on cpu"),
        (GOOD, REAL.float(), TypeError, "token_mask is torch.float32; give"),
        (GOOD, REAL.long(), TypeError, "token_mask is torch.int64; give"),
        (GOOD, REAL[:1], ValueError, r"token_mask has shape \[1, 3\], the tokens \[2, 3\]"),
        (GOOD, REAL[:, :2], ValueError, r"token_mask has shape \[2, 2\], the tokens \[2, 3\]"),
        (GOOD, REAL[0], ValueError, r"token_mask has shape \[3\]"),
        (GOOD, REAL.to("meta"), ValueError, "token_mask is on meta, the tokens"),
        (GOOD, REAL & torch.tensor([[True], [False]]), ValueError, "row 1 has no real token"),
        (GOOD, torch.tensor([[True, False, True]] * 2), ValueError, "row 0 has padding between"),
    ],
)  # fmt: skip
def test_unusable_tokens_are_refused_before_anything_is_computed(
    tokens, token_mask, error, message
):
    model = Decoder(LESSON)
    before = {name: x.clone() for name, x in model.state_dict().items()}
    calls = []
    model.token_embedding.register_forward_hook(lambda *_: calls.append("computed"))
    for entry in (model, model.states):
        with pytest.raises(error, match=message):
            entry(tokens, token_mask)
    assert not calls and model.training
    assert all(torch.equal(x, before[name]) for name, x in model.state_dict().items())


def test_a_model_on_another_device_names_both():
    with pytest.raises(ValueError, match="tokens are on cpu, the model on meta"):
        Decoder(LESSON).to("meta")(GOOD)


@pytest.mark.parametrize("length", [1, 8, 9])
def test_every_length_up_to_the_context_passes(length):
    assert Decoder(LESSON)(torch.ones(1, length).long()).shape == (1, length, 12)


@given(configs(), rows())
@examples(15)
def test_tokens_and_mask_are_left_as_they_were(config, batch):
    tokens, token_mask = pad_rows(batch, 8, "left")
    before = tokens.clone(), token_mask.clone()
    Decoder(config)(tokens, token_mask)
    assert torch.equal(tokens, before[0]) and torch.equal(token_mask, before[1])


def test_building_a_decoder_leaves_the_global_generator_alone():
    before = torch.get_rng_state()
    Decoder(DecoderConfig(vocab_size=12, context=9))
    assert torch.equal(torch.get_rng_state(), before)


@pytest.mark.parametrize("cache", ["growing", True, GrowingCache])
def test_what_is_no_cache_is_told_how_to_make_one(cache):
    model, tokens = Decoder(LESSON), torch.ones(2, 3).long()
    for run in (
        lambda: model(tokens, cache=cache),
        lambda: generate(model, tokens, max_new_tokens=1, cache=cache),
    ):
        with pytest.raises(TypeError, match=r"cache is .*; give a cache, .*model\.new_cache\(2"):
            run()


def test_what_is_no_memory_is_told_how_to_make_it():
    model = Decoder(dataclasses.replace(LESSON, cross_attention=True))
    source, tokens = vectors(2, 5, LESSON.width), torch.ones(2, 3).long()
    for memory in (source, model.memory_of(source)[0], [source]):
        with pytest.raises(TypeError, match=r"memory is a .*; give memory=model\.memory_of"):
            model(tokens, memory=memory)


def test_vectors_of_another_dtype_are_refused_by_name():
    with pytest.raises(ValueError, match=r"vectors is torch\.float64 .* the model torch\.float32"):
        Decoder(LESSON).states_of(vectors(1, 3, LESSON.width).double())
