"""Caches: whatever is read, in whatever pieces, the numbers are those of one uncached pass."""

import copy
import gc
import math
from dataclasses import FrozenInstanceError, replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder import masks
from helpers.decoder.cache import Cache, CacheShape, GrowingCache, PreallocatedCache, WindowCache
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.judging.invariants import (
    check_equal,
    check_no_leak,
    check_sees_all,
    influence_by_change,
)
from helpers.languages.tokens import pad_rows
from tests.small_models import V, configs, rows, shaken, tokens_of
from tests.tiers import examples

KINDS = ("growing", "preallocated", "window")
each_kind = pytest.mark.parametrize("kind", KINDS)
CONTEXT = 24
SMALL = {"vocab_size": V, "context": CONTEXT, "width": 8, "heads": 2, "blocks": 2}


def small(kind="growing", **options):
    """A model that this kind of cache fits."""
    window = {"window": 4} if kind == "window" else {}
    return shaken(Decoder(DecoderConfig(**SMALL | window | options))).eval()


def model_configs(kind, **fixed):
    """Causal decoders of every form; a window cache needs a window, others may have one."""
    widths = st.sampled_from([1, 2, 4, 7, 30])
    window = widths if kind == "window" else st.none() | widths
    return configs(**{"window": window, "context": CONTEXT, "causal": True, "dropout": 0.0} | fixed)


def model_and_tolerance(data, kind, **fixed):
    """A drawn model in single or double precision, and how far its logits may lie apart."""
    model = shaken(Decoder(data.draw(model_configs(kind, **fixed)))).eval()
    dtype, tolerance = data.draw(st.sampled_from([(torch.float32, 1e-5), (torch.float64, 1e-12)]))
    return model.to(dtype), tolerance


@st.composite
def splits(draw, length):
    """The sizes of the pieces in which so many columns are read."""
    cuts = draw(st.sets(st.integers(1, length - 1))) if length > 1 else set()
    ends = [*sorted(cuts), length]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


@torch.no_grad()
def read(model, cache, tokens, sizes, token_mask=None):
    """Logits at every position, read into the cache piece by piece, [B, T, V]."""
    pieces = tokens.split(sizes, dim=1)
    shown = [None] * len(sizes) if token_mask is None else token_mask.split(sizes, dim=1)
    return torch.cat(
        [model(piece, real, cache=cache) for piece, real in zip(pieces, shown, strict=True)], dim=1
    )


def state_of(cache):
    """All that a cache says of itself, and every number that counts in it."""
    stored = [x[:, :, : cache.length].clone() for x in cache._tensors()]
    return (cache.length, cache.token_mask.tolist(), cache.bytes(), cache.shape, stored)


def same(one, other):
    return one[:-1] == other[:-1] and all(map(torch.equal, one[-1], other[-1]))


def memory_behind(cache):
    """Bytes behind every tensor that a cache holds on to, found by looking; its mask apart."""
    found = {}

    def walk(x):
        if isinstance(x, torch.Tensor):
            found[x.untyped_storage().data_ptr()] = x.untyped_storage().nbytes()
        elif isinstance(x, dict):
            walk(list(x.values()))
        elif isinstance(x, list | tuple):
            for part in x:
                walk(part)

    walk([x for name, x in vars(cache).items() if name != "token_mask"])
    return sum(found.values())


def stored_tokens(cache, kind, length, window):
    """How many tokens of a row a cache that only ever read holds."""
    return {"growing": length, "preallocated": CONTEXT, "window": min(length, window or 0)}[kind]


# ---- C32: in pieces as in one pass --------------------------------------------------------------


@each_kind
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("sizes", [[7, 9], [1, 15], [15, 1], [1] * 16, [16]])
def test_16_tokens_in_pieces_give_the_logits_of_one_pass_C32(kind, batch, sizes):
    model, tokens = small(kind), tokens_of(batch, 16)
    cache = model.new_cache(batch, kind)
    got = read(model, cache, tokens, sizes)
    assert cache.length == 16 and cache.token_mask.tolist() == [[True] * 16] * batch
    check_equal(got, model(tokens), "in pieces")


@each_kind
@given(st.data())
@examples(30)
def test_every_model_reads_in_any_pieces_what_it_reads_in_one_C32(kind, data):
    model, tolerance = model_and_tolerance(data, kind)
    batch, length = data.draw(st.sampled_from([1, 3])), data.draw(st.integers(1, 16))
    tokens = tokens_of(batch, length)
    got = read(model, model.new_cache(batch, kind), tokens, data.draw(splits(length)))
    check_equal(got, model(tokens), "in pieces", tolerance)


@each_kind
@given(st.data())
@examples(30)
def test_unequal_prompts_padded_on_the_left_read_in_any_pieces_C32_C37(kind, data):
    model, tolerance = model_and_tolerance(data, kind)
    batch, extra = data.draw(rows(max_length=8)), data.draw(st.integers(0, 4))
    length = max(map(len, batch)) + extra
    pad_id = data.draw(st.integers(0, V - 1))  # what stands at padding does not matter
    tokens, token_mask = pad_rows(batch, length, "left", pad_id)
    cache = model.new_cache(len(batch), kind)
    # a piece may well be padding only, for some rows or for all
    got = read(model, cache, tokens, data.draw(splits(length)), token_mask)
    assert got.isfinite().all()
    assert torch.equal(cache.token_mask, token_mask)
    for i, row in enumerate(batch):
        check_equal(got[i, token_mask[i]], model(torch.tensor([row]))[0], f"row {i}", tolerance)


@each_kind
@given(st.data())
@examples(25)
def test_rows_padded_on_the_right_read_in_any_pieces_C32(kind, data):
    model, tolerance = model_and_tolerance(data, kind)
    batch, length = data.draw(rows(max_length=6)), 8
    tokens, token_mask = pad_rows(batch, length)
    got = read(model, model.new_cache(len(batch), kind), tokens, data.draw(splits(8)), token_mask)
    for i, row in enumerate(batch):
        check_equal(got[i, token_mask[i]], model(torch.tensor([row]))[0], f"row {i}", tolerance)


@each_kind
@pytest.mark.parametrize("how", ["load", "train"])
def test_a_cache_of_weights_that_have_changed_is_refused(kind, how):
    model, tokens = small(kind), tokens_of(1, 5)
    cache = model.new_cache(1, kind)
    read(model, cache, tokens[:, :3], [3])
    if how == "load":
        model.load_state_dict(Decoder(model.config, seed=9).state_dict())
    else:
        model(tokens).sum().backward()
        torch.optim.SGD(model.parameters(), lr=0.1).step()
    with pytest.raises(ValueError, match="weights have changed since the cache was filled"):
        read(model, cache, tokens[:, 3:4], [1])
    cache.reset()
    got = read(model, cache, tokens, [2, 3])
    with torch.no_grad():
        check_equal(got, model(tokens), "after a reset")


@each_kind
def test_going_on_behind_padding_on_the_right_is_refused_as_without_a_cache_C37(kind):
    model = small(kind)
    tokens, token_mask = pad_rows([[1, 2, 3], [4]])
    cache = model.new_cache(2, kind)
    read(model, cache, tokens, [3], token_mask)
    before = state_of(cache)
    both = torch.cat([token_mask, torch.ones(2, 1, dtype=torch.bool)], dim=1)
    with pytest.raises(ValueError, match="row 1 has padding between real tokens"):
        model(tokens_of(2, 4), both)
    for real in (None, both[:, 3:]):
        with pytest.raises(ValueError, match="row 1 has padding between real tokens"):
            read(model, cache, tokens_of(2, 1), [1], real)
    assert same(state_of(cache), before)


@each_kind
@given(st.data())
@examples(20)
def test_in_bfloat16_pieces_agree_as_far_as_its_epsilon_allows_C32(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind)))).eval().to(torch.bfloat16)
    batch, length = data.draw(st.sampled_from([1, 3])), data.draw(st.integers(1, 16))
    tokens = tokens_of(batch, length)
    cache = model.new_cache(batch, kind)
    got, whole = read(model, cache, tokens, data.draw(splits(length))), model(tokens)
    assert got.dtype == torch.bfloat16 and {x.dtype for x in cache._tensors()} <= {got.dtype}
    # Both ways round what each block adds, and at last the logits, by up to eps / 2 of their size.
    eps, parts = torch.finfo(torch.bfloat16).eps, 1 + model.config.blocks
    check_equal(got, whole, "in pieces", eps * parts * float(whole.detach().abs().max()))


@each_kind
@given(st.data())
@examples(15)
def test_every_key_is_computed_once_whatever_the_pieces_C32(kind, data):
    model, length = small(kind), 12
    computed = []
    for block in model.blocks:
        block.attention.key.register_forward_hook(
            lambda module, given, out: computed.append(out.shape[1])
        )
    sizes = data.draw(splits(length))
    read(model, model.new_cache(2, kind), tokens_of(2, length), sizes)
    assert computed == [size for size in sizes for _ in model.blocks]


# ---- C33: a reset forgets everything ------------------------------------------------------------


def go_on(model, cache, tokens, new):
    """Read a prompt, then `new` more tokens, each the likeliest; their logits, [B, new + 1, V]."""
    logits = [read(model, cache, tokens, [tokens.shape[1]])[:, -1:]]
    for _ in range(new):
        logits.append(read(model, cache, logits[-1].argmax(dim=-1), [1]))
    return torch.cat(logits, dim=1)


@each_kind
def test_after_a_reset_the_second_prompt_knows_nothing_of_the_first_C33(kind):
    model = small(kind)
    cache, fresh = model.new_cache(1, kind), model.new_cache(1, kind)
    go_on(model, cache, tokens_of(1, 10), 5)
    assert cache.length == 15
    cache.reset()
    assert cache.length == 0 and cache.token_mask.shape == (1, 0)
    places, second = [], tokens_of(1, 3, seed=1)
    hook = model.position_embedding.register_forward_hook(
        lambda module, given, out: places.append(given[0].tolist())
    )
    got = go_on(model, cache, second, 2)
    hook.remove()
    assert places == [[[0, 1, 2]], [[3]], [[4]]]
    assert torch.equal(got, go_on(model, fresh, second, 2))
    assert same(state_of(cache), state_of(fresh))


@each_kind
@given(st.data())
@examples(20)
def test_a_reset_cache_is_as_good_as_new_bit_for_bit_C33(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind)))).eval()
    first = pad_rows(data.draw(rows(max_length=8)), 9, "left")
    cache = model.new_cache(len(first[0]), kind)
    read(model, cache, first[0], [4, 5], first[1])
    if data.draw(st.booleans()):
        cache.reorder(
            data.draw(st.lists(st.integers(0, len(first[0]) - 1), min_size=1, max_size=4))
        )
    if data.draw(st.booleans()):
        cache.crop(8)
    cache.reset()
    fresh = model.new_cache(cache.shape.batch, kind)
    assert cache.length == 0 and cache.shape == fresh.shape
    assert cache.token_mask.shape == (cache.shape.batch, 0)
    second = tokens_of(cache.shape.batch, 7, seed=1)
    sizes = data.draw(splits(7))
    assert torch.equal(read(model, cache, second, sizes), read(model, fresh, second, sizes))
    assert same(state_of(cache), state_of(fresh))


@each_kind
def test_another_model_may_use_a_cache_after_a_reset_C33(kind):
    one, other = small(kind), small(kind, norm_placement="pre")
    cache, tokens = one.new_cache(2, kind), tokens_of(2, 6)
    read(one, cache, tokens, [6])
    cache.reset()
    check_equal(read(other, cache, tokens, [2, 4]), other(tokens), "the other model")


# ---- C37: padding in front, then one more token -------------------------------------------------


@each_kind
def test_a_step_behind_a_padded_prompt_stands_where_the_unpadded_one_does_C37(kind):
    model, places = small(kind), []
    prompt, token = [1, 4, 2], torch.tensor([[5]])
    tokens, token_mask = pad_rows([prompt], 5, "left")
    cache, plain = model.new_cache(1, kind), model.new_cache(1, kind)
    read(model, cache, tokens, [5], token_mask)
    model.position_embedding.register_forward_hook(
        lambda module, given, out: places.append(given[0].tolist())
    )
    got = read(model, cache, token, [1])
    assert cache.token_mask.long().tolist() == [[0, 0, 1, 1, 1, 1]]
    assert places == [[[3]]]
    read(model, plain, torch.tensor([prompt]), [3])
    check_equal(got, read(model, plain, token, [1]), "against the unpadded cached run")
    check_equal(got[:, 0], model(torch.tensor([[*prompt, 5]]))[:, -1], "against the recompute")
    both = torch.cat([token_mask, torch.ones(1, 1, dtype=torch.bool)], dim=1)
    check_equal(got[:, 0], model(torch.cat([tokens, token], dim=1), both)[:, -1], "padded, whole")


# ---- crop, reorder, and any order of steps ------------------------------------------------------


@each_kind
@given(st.data())
@examples(20)
def test_a_cropped_cache_goes_on_as_one_that_never_read_more(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind)))).eval()
    tokens, token_mask = pad_rows(data.draw(rows(max_length=8)), 10, "left")
    cache, short = (model.new_cache(len(tokens), kind) for _ in range(2))
    # a window has room for one token to be taken back, since it keeps one more than it needs
    kept = 9 if kind == "window" else data.draw(st.integers(0, 10))
    read(model, cache, tokens, [10], token_mask)
    cache.crop(kept)
    if kept:
        read(model, short, tokens[:, :kept], [kept], token_mask[:, :kept])
    assert (cache.length, cache.token_mask.tolist()) == (kept, short.token_mask.tolist())
    if kind == "growing":
        assert cache.bytes() == short.bytes() == memory_behind(cache)
    rest = tokens_of(len(tokens), 4, seed=1)
    check_equal(read(model, cache, rest, [3, 1]), read(model, short, rest, [3, 1]), "after a crop")
    assert torch.equal(cache.token_mask, short.token_mask)


@each_kind
@given(st.data())
@examples(20)
def test_reordered_rows_go_on_as_caches_of_those_rows(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind)))).eval()
    tokens, token_mask = pad_rows(data.draw(rows(max_length=6)), 7, "left")
    cache = model.new_cache(len(tokens), kind)
    read(model, cache, tokens, [7], token_mask)
    # fewer rows, as many or more, some of them several times
    order = data.draw(st.lists(st.integers(0, len(tokens) - 1), min_size=1, max_size=5))
    cache.reorder(order if data.draw(st.booleans()) else torch.tensor(order))
    other = model.new_cache(len(order), kind)
    read(model, other, tokens[order], [7], token_mask[order])
    assert cache.shape == other.shape and cache.bytes() == other.bytes() == memory_behind(cache)
    rest = tokens_of(len(order), 4, seed=1)
    got = read(model, cache, rest, [1, 3])
    check_equal(got, read(model, other, rest, [1, 3]), "after a reorder")
    for row, i in enumerate(order):  # and each row as alone
        text = torch.cat([tokens[i, token_mask[i]], rest[row]])[None]
        check_equal(got[row], model(text)[0, -4:], f"row {row}")
    assert torch.equal(cache.token_mask, other.token_mask)


@each_kind
@given(st.data())
@examples(30)
def test_after_any_steps_in_any_order_a_cache_is_what_its_rows_say(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind)))).eval()
    tokens, real = pad_rows(data.draw(rows(max_length=5)), 6, "left")
    cache = model.new_cache(len(tokens), kind)
    read(model, cache, tokens, [2, 4], real)
    # how many of the last tokens have keys there; where there are no keys, nothing is forgotten
    width = model.config.window if kind == "window" and cache.shape.blocks else CONTEXT + 1
    known = min(6, width)
    for _ in range(data.draw(st.integers(1, 6))):
        batch, length = tokens.shape
        step = data.draw(st.sampled_from(["read", "crop", "crop", "reorder"]))
        if step == "read" and length < CONTEXT:
            new = data.draw(st.integers(1, min(4, CONTEXT - length)))
            more = tokens_of(batch, new, seed=length)
            tokens = torch.cat([tokens, more], dim=1)
            real = torch.cat([real, torch.ones_like(more, dtype=torch.bool)], dim=1)
            got = read(model, cache, more, [new])
            check_equal(got, model(tokens, real)[:, -new:], "cached")
            known = min(min(length, width - 1) + new, width)
        elif step == "crop":
            kept = data.draw(st.integers(max(0, length - 3), length))
            needed = min(kept, width - 1)
            left = max(0, known - (length - kept))
            if left < needed:
                before = state_of(cache)
                with pytest.raises(ValueError, match=rf"has forgotten .* at length {kept}; reset"):
                    cache.crop(kept)
                assert same(state_of(cache), before)
                continue
            cache.crop(kept)
            tokens, real, known = tokens[:, :kept], real[:, :kept], left
        elif step == "reorder":
            order = data.draw(st.lists(st.integers(0, batch - 1), min_size=1, max_size=3))
            cache.reorder(order)
            tokens, real = tokens[order], real[order]
        assert cache.length == tokens.shape[1] and torch.equal(cache.token_mask, real)
        held = CONTEXT if kind == "preallocated" else known
        assert cache.bytes() == memory_behind(cache) == cache.shape.bytes(held)


def test_a_window_that_was_cropped_twice_knows_what_it_has_left():
    model = small("window")
    cache, tokens = model.new_cache(1, "window"), tokens_of(1, 6)
    read(model, cache, tokens, [6])
    cache.crop(5)
    with pytest.raises(ValueError, match=r"a window of 4 has forgotten .* at length 4; reset"):
        cache.crop(4)
    check_equal(read(model, cache, tokens[:, 5:], [1])[:, 0], model(tokens)[:, -1], "after it")


@pytest.mark.parametrize("width, kept", [(4, 0), (1, 0), (1, 1), (1, 3)])
def test_a_window_can_go_back_to_where_it_needs_nothing(width, kept):
    model = small("window", window=width)
    cache, tokens = model.new_cache(1, "window"), tokens_of(1, 6)
    read(model, cache, tokens, [6])
    cache.crop(kept)
    assert cache.length == kept and cache.bytes() == 0
    check_equal(read(model, cache, tokens[:, kept:], [6 - kept]), model(tokens)[:, kept:], "again")


# ---- C41: bytes ---------------------------------------------------------------------------------

BF16 = torch.bfloat16
GROUPED = CacheShape(blocks=32, batch=1, heads=8, head_width=128, dtype=BF16, device="meta")
WIDE = replace(GROUPED, blocks=36)  # C=2560 and 32 query heads, yet D=128
GPT2 = CacheShape(blocks=12, batch=1, heads=12, head_width=64, device="meta")


@pytest.mark.parametrize(
    "shape, tokens, wanted",
    [(GROUPED, 1, 131_072), (GROUPED, 8192, 2**30), (WIDE, 1, 147_456), (GPT2, 1024, 72 * 2**20)],
)
def test_bytes_of_real_configurations_C41(shape, tokens, wanted):
    assert shape.bytes(tokens) == wanted
    real = PreallocatedCache(shape, capacity=tokens)
    sizes = [x.numel() * x.element_size() for x in real._tensors()]
    assert real.bytes() == sum(sizes) == wanted
    assert replace(shape, batch=3).bytes(tokens) == 3 * wanted


def filled(kind, shape, tokens):
    """A cache filled by hand, so that its shape need not be one that our models have."""
    cache = {
        "growing": lambda: GrowingCache(shape),
        "preallocated": lambda: PreallocatedCache(shape, capacity=tokens),
        "window": lambda: WindowCache(shape, width=tokens),
    }[kind]()
    cache.begin(torch.ones(shape.batch, tokens, dtype=torch.bool), filled)
    for block in range(shape.blocks):
        size = (shape.batch, shape.heads, tokens, shape.head_width)
        cache.append(block, *(torch.ones(size, dtype=shape.dtype) for _ in range(2)))
    cache.commit()
    return cache


@each_kind
@given(st.data())
@examples(20)
def test_bytes_are_what_the_formula_says_and_what_the_tensors_take_C41(kind, data):
    sizes = {name: data.draw(st.integers(1, 4)) for name in ("batch", "heads", "head_width")}
    blocks, tokens = data.draw(st.integers(0, 3)), data.draw(st.integers(1, 9))
    dtypes = {torch.float16: 2, BF16: 2, torch.float32: 4, torch.float64: 8}
    dtype = data.draw(st.sampled_from(list(dtypes)))
    shape = CacheShape(blocks=blocks, dtype=dtype, **sizes)
    cache = filled(kind, shape, tokens)
    wanted = 2 * blocks * math.prod(sizes.values()) * tokens * dtypes[dtype]
    assert cache.bytes() == shape.bytes(tokens) == wanted == memory_behind(cache)
    assert wanted == sum(x.numel() * x.element_size() for x in cache._tensors())


@each_kind
@given(st.data())
@examples(15)
def test_bytes_of_a_cache_that_a_model_filled_C41(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind)))).eval()
    config, batch = model.config, data.draw(st.integers(1, 3))
    length = data.draw(st.integers(1, 16))
    cache = model.new_cache(batch, kind)
    read(model, cache, tokens_of(batch, length), data.draw(splits(length)))
    held = stored_tokens(cache, kind, length, config.window)
    blocks = config.blocks if config.attention else 0
    assert cache.bytes() == memory_behind(cache) == 2 * blocks * batch * config.width * held * 4


def test_a_window_stops_growing_and_a_reserved_room_stays_where_it_is():
    window, whole = small("window"), small("preallocated")
    cache, reserved = window.new_cache(2, "window"), whole.new_cache(2, "preallocated", capacity=12)
    places, full = [x.data_ptr() for x in reserved._tensors()], reserved.bytes()
    for t in range(12):
        token = tokens_of(2, 1, seed=t)
        read(window, cache, token, [1])
        read(whole, reserved, token, [1])
        assert cache.bytes() == memory_behind(cache) == cache.shape.bytes(min(t + 1, 4))
        assert reserved.bytes() == full == reserved.shape.bytes(12)
    reserved.reset()
    read(whole, reserved, tokens_of(2, 12), [12])
    assert [x.data_ptr() for x in reserved._tensors()] == places
    # a long piece leaves no more behind than short ones
    cache.reset()
    read(window, cache, tokens_of(2, 20), [20])
    assert cache.bytes() == memory_behind(cache) == cache.shape.bytes(4)


# ---- C34: the window, on the whole model --------------------------------------------------------


def logits_by(how, model, sizes):
    """Tokens to logits: in one pass, or with a cache of some kind."""
    if how == "one pass":
        return model
    return lambda tokens: read(model, model.new_cache(len(tokens), how), tokens, sizes)


every_way = pytest.mark.parametrize("how", ["one pass", *KINDS])


@every_way
@pytest.mark.parametrize(
    "window, wanted", [(4, [1, 2, 3, 4, 4, 4]), (1, [1] * 6), (6, range(1, 7)), (9, range(1, 7))]
)
def test_a_window_of_4_shows_a_token_itself_and_three_before_it_C34(how, window, wanted):
    model = small(blocks=1, window=window)
    logits = logits_by(how, model, [3, 1, 2])
    influence = influence_by_change(logits, tokens_of(1, 6), V)
    assert influence[0].sum(dim=1).tolist() == list(wanted)
    check_no_leak(influence, masks.window(6, width=window))
    check_sees_all(influence, masks.window(6, width=window))
    if window >= 6:
        assert int(influence.sum()) == 21
        plain = shaken(Decoder(replace(model.config, window=None)))
        plain.load_state_dict(model.state_dict())
        check_equal(logits(tokens_of(1, 6)), plain(tokens_of(1, 6)), "against no window")


@every_way
@given(st.data())
@examples(12)
def test_each_block_looks_one_window_further_back_C34(how, data):
    window = data.draw(st.integers(1, 4))
    config = data.draw(
        model_configs("window", window=window, attention=True, blocks=st.integers(1, 3))
    )
    model = shaken(Decoder(config)).double().eval()
    logits = logits_by(how, model, data.draw(splits(7)))
    influence = influence_by_change(logits, tokens_of(1, 7), V)
    reach = masks.window(7, width=1 + config.blocks * (window - 1))
    check_no_leak(influence, reach)
    check_sees_all(influence, reach)


@given(st.integers(1, 6), st.integers(0, 4), st.data())
@examples(15)
def test_a_cache_that_keeps_more_than_the_window_gives_the_same_C34(window, more, data):
    model = small("window", window=window)
    cache = WindowCache(model.new_cache(2).shape, window + more)
    tokens = tokens_of(2, 10)
    check_equal(read(model, cache, tokens, data.draw(splits(10))), model(tokens), "wide")


# ---- a pass that fails --------------------------------------------------------------------------


class Halt(Exception):
    """What a test raises in the middle of a pass."""


def halt(*_):
    raise Halt


@each_kind
@given(st.data())
@examples(20)
def test_a_pass_that_fails_half_way_leaves_the_cache_as_it_was(kind, data):
    model = shaken(Decoder(data.draw(model_configs(kind, blocks=st.integers(1, 3))))).eval()
    tokens, token_mask = pad_rows(data.draw(rows(max_length=8)), 8, "left")
    cache, start = model.new_cache(len(tokens), kind), data.draw(st.integers(0, 7))
    if start:
        read(model, cache, tokens[:, :start], [start], token_mask[:, :start])
    before = state_of(cache)
    block = data.draw(st.sampled_from(list(model.blocks)))
    place = data.draw(st.sampled_from([block, block.feed_forward, model.final_norm]))
    hook = place.register_forward_pre_hook(halt)
    for wrong in (tokens_of(len(tokens), 3, seed=9), tokens_of(len(tokens), 1, seed=8)):
        with pytest.raises(Halt):
            read(model, cache, wrong, [wrong.shape[1]])
        assert same(state_of(cache), before)
    hook.remove()
    rest = data.draw(splits(8 - start))
    got = read(model, cache, tokens[:, start:], rest, token_mask[:, start:])
    wanted = model(tokens, token_mask)
    shown = token_mask[:, start:]
    check_equal(got[shown], wanted[:, start:][shown], "after a pass that failed")
    assert cache.length == 8 and torch.equal(cache.token_mask, token_mask)


@each_kind
def test_a_cropped_or_reordered_cache_forgets_the_pass_that_failed(kind):
    model, tokens = small(kind), tokens_of(2, 6)
    for change in (lambda cache: cache.crop(5), lambda cache: cache.reorder([1, 0]), Cache.reset):
        cache, twin = model.new_cache(2, kind), model.new_cache(2, kind)
        read(model, cache, tokens, [6])
        read(model, twin, tokens, [6])
        hook = model.blocks[1].register_forward_pre_hook(halt)
        with pytest.raises(Halt):
            read(model, cache, tokens, [6])
        hook.remove()
        change(cache)
        change(twin)
        assert same(state_of(cache), state_of(twin))
        rest = tokens_of(2, 3, seed=1)
        assert torch.equal(read(model, cache, rest, [3]), read(model, twin, rest, [3]))


@each_kind
def test_a_first_pass_that_failed_binds_the_cache_to_no_model(kind):
    one, other = small(kind), small(kind, norm_placement="pre")
    cache, tokens = one.new_cache(2, kind), tokens_of(2, 3)
    one.blocks[1].register_forward_pre_hook(halt)
    with pytest.raises(Halt):
        read(one, cache, tokens, [3])
    check_equal(read(other, cache, tokens, [3]), other(tokens), "the other model")


@each_kind
def test_gradients_are_refused_and_leave_the_cache_as_it_was(kind):
    model, tokens = small(kind), tokens_of(2, 7)
    cache = model.new_cache(2, kind)
    for start in (0, 4):
        before = state_of(cache)
        with pytest.raises(
            RuntimeError, match=r"keeps no gradients; call the model under torch\.no"
        ):
            model(tokens[:, start:], cache=cache)
        assert same(state_of(cache), before)
        got = read(model, cache, tokens[:, start : start + 4], [4] if start == 0 else [3])
        check_equal(got, model(tokens)[:, start : start + 4], "without gradients")
    for parameter in model.parameters():
        parameter.requires_grad_(False)
    cache.reset()  # a frozen model has no gradients to keep
    check_equal(model(tokens, cache=cache), model(tokens), "frozen")


@each_kind
@pytest.mark.parametrize("made_inside", [True, False])
def test_inference_mode_is_as_good_as_no_grad(kind, made_inside):
    model, tokens = small(kind), tokens_of(2, 7)
    cache = model.new_cache(2, kind)
    with torch.inference_mode():
        if made_inside:
            cache = model.new_cache(2, kind)
        got = torch.cat([model(part, cache=cache) for part in tokens.split([4, 1, 2], 1)], dim=1)
    check_equal(got, model(tokens), "in inference mode")


# ---- bad input ----------------------------------------------------------------------------------


def refused(model, cache, tokens, error, message, token_mask=None):
    """The pass is refused by name before anything is computed, and the cache is as it was."""
    before, computed = state_of(cache), []
    hook = model.token_embedding.register_forward_hook(lambda *_: computed.append(True))
    with torch.no_grad(), pytest.raises(error, match=message):
        model(tokens, token_mask, cache=cache)
    hook.remove()
    assert not computed and same(state_of(cache), before)


def made(kind, shape):
    width = {"growing": (), "preallocated": (9,), "window": (4,)}[kind]
    return dict(zip(KINDS, (GrowingCache, PreallocatedCache, WindowCache), strict=True))[kind](
        shape, *width
    )


@each_kind
@pytest.mark.parametrize(
    "change, have, need",
    [
        ({"batch": 2}, "batch=2", "batch=3"),
        ({"blocks": 1}, "blocks=1", "blocks=2"),
        ({"heads": 4}, "heads=4", "heads=2"),
        ({"head_width": 8}, "head_width=8", "head_width=4"),
        ({"dtype": torch.float64}, r"dtype=torch\.float64", r"dtype=torch\.float32"),
        ({"device": "meta"}, "device=meta", "device=cpu"),
    ],
)
def test_a_cache_of_another_shape_is_refused_by_name(kind, change, have, need):
    model = small(kind)
    cache = made(kind, replace(model.new_cache(3).shape, **change))
    message = f"the cache is for {have}, but model and tokens need {need}; make one with model.new_"
    if "device" not in change:
        refused(model, cache, tokens_of(3, 2), ValueError, message)
    else:
        with torch.no_grad(), pytest.raises(ValueError, match=message):
            model(tokens_of(3, 2), cache=cache)


@each_kind
def test_a_model_whose_dtype_was_changed_no_longer_fits_its_cache(kind):
    model = small(kind)
    cache = model.new_cache(2, kind)
    read(model, cache, tokens_of(2, 3), [3])
    model.double()
    refused(model, cache, tokens_of(2, 1), ValueError, r"dtype=torch\.float32, but model and tok")


@each_kind
def test_a_used_cache_is_refused_by_any_other_model_of_the_same_shape(kind):
    one, other = small(kind), small(kind)
    cache, tokens = one.new_cache(2, kind), tokens_of(2, 5)
    read(one, cache, tokens, [5])
    message = "the cache holds keys of another model; reset it or make a new one"
    refused(other, cache, tokens, ValueError, message)
    read(one, cache, tokens, [5])  # its own may go on
    del one
    gc.collect()  # the cache does not keep the model alive, and takes nobody else for it
    assert cache._owner() is None
    refused(other, cache, tokens, ValueError, message)
    if kind != "window":
        cache.crop(0)
        check_equal(read(other, cache, tokens, [5]), other(tokens), "emptied")


def test_a_full_cache_says_so_before_anything_is_written():
    model = small("preallocated")
    cache = model.new_cache(2, "preallocated", capacity=5)
    message = "the cache is full: it holds {} of 5 tokens and {} more do not fit; reset it, crop it"
    refused(model, cache, tokens_of(2, 6), ValueError, message.format(0, 6))
    read(model, cache, tokens_of(2, 3), [3])
    refused(model, cache, tokens_of(2, 3), ValueError, message.format(3, 3))
    read(model, cache, tokens_of(2, 2), [2])  # to the brim
    refused(model, cache, tokens_of(2, 1), ValueError, message.format(5, 1))
    cache.crop(2)
    check_equal(
        read(model, cache, tokens_of(2, 3)[:, 2:], [1])[:, 0], model(tokens_of(2, 3))[:, -1], "on"
    )


@each_kind
@given(st.integers(0, CONTEXT), st.integers(1, CONTEXT + 3))
@examples(10)
def test_a_text_over_the_context_is_refused_before_anything_is_computed(kind, before, new):
    model = small(kind)
    cache = model.new_cache(1, kind)
    if before:
        read(model, cache, tokens_of(1, before), [before])
    if before + new <= CONTEXT:
        assert read(model, cache, tokens_of(1, new), [new]).shape == (1, new, V)
        return
    message = f"the cache holds {before} tokens and {new} more exceed the context of {CONTEXT}"
    refused(model, cache, tokens_of(1, new), ValueError, message)


@each_kind
def test_a_model_that_is_not_causal_takes_no_cache(kind):
    model = shaken(Decoder(DecoderConfig(**SMALL, causal=False)))
    cache = made(kind, model.new_cache(2).shape)
    refused(
        model, cache, tokens_of(2, 3), ValueError, "not causal has nothing to keep: every state"
    )


@pytest.mark.parametrize("window", [None, 5, 30])
def test_a_window_cache_is_refused_by_a_model_that_looks_back_further(window):
    model = small(window=window)
    cache = WindowCache(model.new_cache(2).shape, 4)
    message = f"the cache keeps 4 tokens, but this model's window is {window} .* model.new_cache"
    refused(model, cache, tokens_of(2, 3), ValueError, message)


@each_kind
@pytest.mark.parametrize(
    "tokens, token_mask, error, message",
    [
        (torch.tensor([[1, V]]), None, ValueError, f"unknown id {V}; allowed are 0 to {V - 1}"),
        (torch.tensor([[1.0, 2.0]]), None, TypeError, "tokens is torch.float32; give"),
        (torch.tensor([[1, 2]]), torch.ones(1, 2), TypeError, "token_mask is torch.float32; give"),
        (
            torch.tensor([[1, 2]]),
            torch.ones(1, 5).bool(),
            ValueError,
            r"token_mask has shape \[1, 5",
        ),
        (
            torch.tensor([[1, 2]]),
            torch.ones(2, 2).bool(),
            ValueError,
            r"token_mask has shape \[2, 2",
        ),
        (
            torch.tensor([[1, 2, 3]]),
            torch.tensor([[True, False, True]]),
            ValueError,
            "row 0 has padding between real tokens",
        ),
        (
            torch.tensor([[1, 2]]),
            torch.tensor([[False, True]]),
            ValueError,
            "row 0 has padding between real tokens",
        ),
    ],
)
def test_unusable_tokens_are_refused_and_leave_the_cache_as_it_was(
    kind, tokens, token_mask, error, message
):
    model = small(kind)
    cache = model.new_cache(1, kind)
    read(model, cache, tokens_of(1, 3), [3])
    refused(model, cache, tokens, error, message, token_mask)


@each_kind
@pytest.mark.parametrize(
    "length, message",
    [
        (7, "length is 7; the cache holds 6 tokens"),
        (-1, "length is -1; give a whole number of 0 or more"),
        (2.5, "length is 2.5; give a whole number"),
        (5.0, "length is 5.0; give a whole number"),
        (True, "length is True; give a whole number"),
        (None, "length is None; give a whole number"),
    ],
)
def test_an_impossible_crop_is_refused_by_name(kind, length, message):
    model = small(kind)
    cache = model.new_cache(2, kind)
    read(model, cache, tokens_of(2, 6), [6])
    before = state_of(cache)
    with pytest.raises(ValueError, match=message):
        cache.crop(length)
    assert same(state_of(cache), before)
    cache.crop(6)
    assert same(state_of(cache), before)


@each_kind
@pytest.mark.parametrize(
    "order, message",
    [
        ([], r"rows is \[\]; give at least one row number"),
        (torch.tensor([], dtype=torch.int64), "give at least one row number"),
        ([0.0, 1.0], "give at least one row number, as whole numbers"),
        (torch.tensor([True, False]), "give at least one row number, as whole numbers"),
        ([True, False], "give at least one row number, as whole numbers"),
        (torch.tensor([[0, 1]]), "give at least one row number"),
        (torch.tensor(1), "give at least one row number"),
        ([0, 2], r"rows is \[0, 2\]; allowed are 0 to 1"),
        ([-1], r"rows is \[-1\]; allowed are 0 to 1"),
    ],
)
def test_an_impossible_order_of_rows_is_refused_by_name(kind, order, message):
    model = small(kind)
    cache = model.new_cache(2, kind)
    read(model, cache, tokens_of(2, 6), [6])
    before = state_of(cache)
    with pytest.raises(ValueError, match=message):
        cache.reorder(order)
    assert same(state_of(cache), before)


@pytest.mark.parametrize(
    "name, least", [("blocks", 0), ("batch", 1), ("heads", 1), ("head_width", 1)]
)
@pytest.mark.parametrize("value", [-1, 0, 1.5, True, "2", None])
def test_an_impossible_shape_is_refused_by_name(name, least, value):
    if value == least and not isinstance(value, bool):
        assert getattr(replace(GPT2, **{name: value}), name) == value
        return
    message = f"{name} is {value!r}; give a whole number of {least} or more"
    with pytest.raises(ValueError, match=message):
        replace(GPT2, **{name: value})


def test_a_shape_is_frozen():
    with pytest.raises(FrozenInstanceError):
        GPT2.batch = 2


@pytest.mark.parametrize("size", [0, -1, 2.5, True, None])
def test_an_impossible_room_or_width_is_refused_by_name(size):
    for make, name in ((PreallocatedCache, "capacity"), (WindowCache, "width")):
        with pytest.raises(ValueError, match=f"{name} is {size}; give a whole number of 1 or more"):
            make(GPT2, size)


# ---- the pass by hand ---------------------------------------------------------------------------


@each_kind
def test_begin_says_which_keys_will_be_there_and_commit_makes_them_count(kind):
    cache = made(kind, CacheShape(blocks=1, batch=2, heads=1, head_width=1))
    first = torch.tensor([[False, True], [True, True]])
    for step, new in enumerate((first, first.new_ones(2, 1), first.new_ones(2, 3))):
        seen = cache.begin(new, made)
        keys = torch.arange(new.shape[1]).expand(2, 1, -1)[..., None] + 10.0 * step
        key, value = cache.append(0, keys, -keys)
        assert cache.length == [0, 2, 3][step]  # nothing counts yet
        cache.commit()
        assert cache.length == [2, 3, 6][step]
        assert key.shape == value.shape == (2, 1, seen.shape[1], 1)
        assert torch.equal(key, -value)
    kept = [0, 1, 10, 20, 21, 22]
    assert key[0, 0, :, 0].tolist() == kept  # a width of 4: three before the first new one
    assert seen.tolist() == [[False, *[True] * 5], [True] * 6]
    assert cache.token_mask.tolist() == seen.tolist()


@each_kind
def test_a_copy_and_its_original_go_on_without_each_other(kind):
    model = small(kind)
    tokens, other = tokens_of(2, 8), tokens_of(2, 8, seed=9)
    other[:, :4] = tokens[:, :4]
    for how in (copy.copy, copy.deepcopy):
        cache = model.new_cache(2, kind)
        read(model, cache, tokens[:, :4], [4])
        twin = how(cache)
        for t in range(4, 8):  # in turns
            for text, one in ((tokens, cache), (other, twin)):
                got = read(model, one, text[:, t : t + 1], [1])[:, 0]
                with torch.no_grad():
                    check_equal(got, model(text[:, : t + 1])[:, -1], f"{how.__name__}, {t}")


@each_kind
@pytest.mark.parametrize("rows", [[0, 1], [1, 1, 0]])
def test_a_cache_may_go_in_and_out_of_inference_mode(kind, rows):
    model, tokens = small(kind), tokens_of(2, 6)
    with torch.inference_mode():
        cache = model.new_cache(2, kind)
        read(model, cache, tokens[:, :4], [4])
        cache.reorder(torch.tensor(rows))
    tokens = tokens[rows]
    got = read(model, cache, tokens[:, 4:], [1, 1])
    with torch.no_grad():
        check_equal(got, model(tokens)[:, 4:], "after inference mode")


@each_kind
def test_what_does_not_fit_the_pass_is_refused_by_name(kind):
    cache = made(kind, CacheShape(blocks=1, batch=2, heads=1, head_width=3))
    good = torch.ones(2, 1, 4, 3)
    with pytest.raises(RuntimeError, match="append outside of a pass; call begin first"):
        cache.append(0, good, good)
    with pytest.raises(RuntimeError, match="commit outside of a pass; call begin first"):
        cache.commit()
    cache.begin(torch.ones(2, 4, dtype=torch.bool), made)
    shape = r"\[2, 1, 4, 3\]"
    for bad in (good[:1], good[:, :, :3], good[..., :2], good.repeat(1, 2, 1, 1), good.double()):
        with pytest.raises(ValueError, match=f"key of block 0 is .*; this cache takes .* {shape}"):
            cache.append(0, bad, good)
        with pytest.raises(
            ValueError, match=f"value of block 0 is .*; this cache takes .* {shape}"
        ):
            cache.append(0, good, bad)
    for pair in ((good.clone().requires_grad_(), good), (good, good.clone().requires_grad_())):
        with pytest.raises(RuntimeError, match=r"call the model under torch\.no_grad\(\)"):
            cache.append(0, *pair)
    assert cache.length == 0
    cache.append(0, good, good)
    cache.commit()
    assert cache.length == 4
    with pytest.raises(RuntimeError, match="append outside of a pass"):
        cache.append(0, good, good)
