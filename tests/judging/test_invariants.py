"""The invariants, held against every mask, both forms of attention, every cache and every shape of
decoder; and the checks themselves, which must convict planted faults by name and place."""

import re
from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder import masks
from helpers.decoder.attention import attention
from helpers.decoder.cache import Cache, WindowCache
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Decoder
from helpers.decoding.generation import generate
from helpers.judging.invariants import (
    Finding,
    InvariantBroken,
    check_cached,
    check_chunks,
    check_equal,
    check_generation,
    check_padding,
    ladder,
)
from helpers.training.pretrained import RECIPES, load
from tests.mask_cases import FORMS, MaskCase, forms, mask_cases, numbers, seeds
from tests.tiers import examples

V = 6
KINDS = ["growing", "preallocated", "window"]
CHANGE, GRADIENT = "leak test by changing tokens", "leak test by gradient"
MIRROR, ALONE = "mirror test by changing tokens", "same alone and in a padded batch"
CHUNKS = {kind: f"same in chunks with a {kind} cache" for kind in KINDS}
TOKENS = "same tokens cached and uncached"
CACHED = {*CHUNKS.values(), TOKENS}
LEAKS = "leak test: in row 0 the output at position 0 depends on token 1, which it may not see"

# ---- attention under every kind of mask ----------------------------------------------------------


@given(mask_cases(), forms, st.data(), seeds)
@examples(60)
def test_in_pieces_attention_gives_the_numbers_of_one_pass_under_every_mask(case, form, data, seed):
    # a token in the shared beginning sees all of it, so the first piece must hold all of it
    least = max(1, int(case.prefix.max())) if case.base == "prefix" else 1
    if case.base == "none":
        least = case.length
    cuts = data.draw(st.sets(st.integers(least, case.length))) | {case.length}
    shape = (case.batch, 2, case.length, 3)
    query, key, value = (numbers(*shape, seed=seed + i) for i in range(3))
    whole = form(query, key, value, case.mask())
    start = 0
    for end in sorted(cuts):
        mask = case.mask(start, end)
        piece = form(query[:, :, start:end], key[:, :, :end], value[:, :, :end], mask)
        check_equal(piece, whole[:, :, start:end], f"{start}:{end}")
        start = end


@given(mask_cases(), forms, seeds)
@examples(60)
def test_hidden_keys_might_as_well_not_be_there(case, form, seed):
    shape = (case.batch, 2, case.length, 3)
    query, key, value = (numbers(*shape, seed=seed + i) for i in range(3))
    together = form(query, key, value, case.mask())
    for b in range(case.batch):
        real = (
            torch.ones(case.length, dtype=torch.bool)
            if case.token_mask is None
            else case.token_mask[b]
        )
        alone = form(
            query[b : b + 1], key[b : b + 1, :, real], value[b : b + 1, :, real],
            case.rows()[b][:, real],
        )  # fmt: skip
        check_equal(together[b : b + 1], alone, f"row {b}")
        if case.documents is None and case.base in ("causal", "window"):
            # and among the real ones the mask is the one of the row without padding
            count = int(real.sum())
            plain = MaskCase(1, count, case.base, case.width, case.prefix, None, None)
            assert torch.equal(case.rows()[b][real][:, real], plain.rows()[0])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("cuts", [[7, 16], [1, 16], [15, 16], list(range(1, 17)), [16]])
def test_a_text_in_pieces_gives_the_numbers_of_one_pass(form, batch, cuts):
    check_chunks(form, *(numbers(batch, 2, 16, 4, seed=i) for i in range(3)), cuts)


@pytest.mark.parametrize("form", FORMS)
def test_a_top_left_triangle_is_convicted_at_the_first_piece_with_a_past(form):
    def top_left(query, key, value, mask):
        rows, columns = query.shape[2], key.shape[2]
        return form(query, key, value, torch.ones(rows, columns, dtype=torch.bool).tril())

    inputs = [numbers(1, 2, 16, 4, seed=i) for i in range(3)]
    with pytest.raises(InvariantBroken, match=r"^chunk 7:16: numbers differ by up to"):
        check_chunks(top_left, *inputs, [7, 16])
    check_chunks(top_left, *inputs, [16])  # one piece: both triangles are the same


@pytest.mark.parametrize("form", FORMS)
def test_seeing_only_its_own_piece_is_convicted(form):
    def forgets(query, key, value, mask):
        rows = query.shape[2]
        return form(query, key[:, :, -rows:], value[:, :, -rows:], mask[:, -rows:])

    with pytest.raises(InvariantBroken, match=r"^chunk 4:5: "):
        check_chunks(forgets, *(numbers(1, 1, 6, 2, seed=i) for i in range(3)), [4, 5, 6])


@pytest.mark.parametrize("cuts", [[], [7], [7, 15], [9, 7, 16], [7, 7, 16], [0, 16], [7, 17]])
def test_cuts_that_do_not_cover_the_text_are_refused(cuts):
    inputs = [numbers(1, 1, 16, 2, seed=i) for i in range(3)]
    with pytest.raises(ValueError) as caught:
        check_chunks(attention, *inputs, cuts)
    assert f"cuts is {cuts}" in str(caught.value)
    assert "end with 16" in str(caught.value)


# ---- decoders of every shape --------------------------------------------------------------------


configs = st.builds(
    DecoderConfig,
    vocab_size=st.integers(4, V),
    context=st.integers(2, 8),
    width=st.just(8),
    heads=st.sampled_from([1, 2, 4]),
    blocks=st.integers(1, 3),
    hidden=st.sampled_from([None, 5]),
    positions=st.sampled_from(["learned", "sinusoidal", "none"]),
    norm_placement=st.sampled_from(["post", "pre"]),
    final_norm=st.booleans(),
    dropout=st.sampled_from([0.0, 0.5]),
    window=st.sampled_from([None, None, 1, 2, 3, 20]),
    pad_id=st.sampled_from([0, 2, None]),
)


@given(configs, seeds, st.booleans())
@examples(10)
def test_every_decoder_holds_the_whole_ladder(config, seed, mode):
    model = Decoder(config, seed=seed).train(mode)
    for finding in ladder(model, seed=seed):
        assert finding.holds, str(finding)
    assert all(module.training is mode for module in model.modules())


@st.composite
def rows_that_fit(draw, config):
    row = st.lists(st.integers(0, config.vocab_size - 1), min_size=1, max_size=config.context)
    rows = draw(st.lists(row, min_size=1, max_size=4))
    return rows, draw(st.integers(0, config.context - max(map(len, rows))))


@given(configs, st.booleans(), seeds, st.data())
@examples(60)
def test_every_decoder_gives_a_row_the_same_alone_and_padded(config, causal, seed, data):
    config = DecoderConfig(**(vars(config) | ({} if causal else {"causal": False, "window": None})))
    rows, extra = data.draw(rows_that_fit(config))
    check_padding(Decoder(config, seed=seed), rows, extra=extra)


@given(configs, seeds)
@examples(10)
def test_an_encoder_is_convicted_of_the_leak_it_is_meant_to_have(config, seed):
    changes = {"causal": False, "window": None}
    model = Decoder(DecoderConfig(**(vars(config) | changes)), seed=seed)
    findings = {finding.name: finding for finding in ladder(model)}
    # T (T - 1) / 2 pairs in each row: two rows of changed tokens, one row of gradients
    lengths = {
        "by changing tokens": (2, min(config.context, 7)),
        "by gradient": (1, config.context),
    }
    for how, (rows, length) in lengths.items():
        found = findings.pop(f"leak test {how}")
        assert not found.holds
        pairs = rows * length * (length - 1) // 2
        assert found.detail == LEAKS + (f" ({pairs} such pairs)" if pairs > 1 else "")
    assert set(findings) == {MIRROR, ALONE}  # nothing to cache where the past changes
    assert all(finding.holds for finding in findings.values())


@pytest.mark.parametrize(
    ("changes", "rungs"),
    [
        ({}, [CHANGE, GRADIENT, MIRROR, ALONE, CHUNKS["growing"], CHUNKS["preallocated"], TOKENS]),
        ({"window": 3}, [CHANGE, GRADIENT, MIRROR, ALONE, *CHUNKS.values(), TOKENS]),
        ({"causal": False}, [CHANGE, GRADIENT, MIRROR, ALONE]),
        ({"context": 1}, [CHANGE, GRADIENT, MIRROR, CHUNKS["growing"], CHUNKS["preallocated"]]),
        ({"context": 2, "window": 1}, [CHANGE, GRADIENT, MIRROR, ALONE, *CHUNKS.values(), TOKENS]),
    ],
)
def test_each_decoder_has_the_rungs_that_fit_it(changes, rungs):
    assert [finding.name for finding in ladder(plant(**changes))] == rungs


def test_a_decoder_with_a_second_sequence_is_refused_by_name():
    with pytest.raises(ValueError, match=r"cross_attention is True: .*cross_attention=False"):
        ladder(plant(cross_attention=True))


@pytest.mark.parametrize("name", RECIPES)
def test_of_the_shipped_models_only_those_without_attention_fall_off_the_ladder(name):
    # in float64: what differs there is never rounding
    broken = [finding.name for finding in ladder(load(name).double()) if not finding.holds]
    removed = RECIPES[name].shape.get("attention", True) is False
    assert broken == (["mirror test by changing tokens"] if removed else [])


# ---- planted faults: a wrong decoder ------------------------------------------------------------


class PlainPositions(Decoder):
    """Positions 0..T-1, whatever padding there is."""

    def _place(self, x, token_mask, past):
        return super()._place(x, None, past)


class ForgetsPadding(Decoder):
    """Causal, but padding may be looked at."""

    def mask(self, queries, token_mask=None, *, keys=None):
        return super().mask(queries, keys=keys)


class ForgetsRightPadding(Decoder):
    """Hides padding only where a row begins with it."""

    def mask(self, queries, token_mask=None, *, keys=None):
        right = token_mask is not None and bool(token_mask[:, 0].all())
        return super().mask(queries, None if right else token_mask, keys=keys)


class OneTooMany(Decoder):
    """Each position sees one token too many."""

    def mask(self, queries, token_mask=None, *, keys=None):
        keys = queries if keys is None else keys
        return torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries + 1)


class AddsTheMean(Decoder):
    """The mean over all positions slips in before the head."""

    def states(self, tokens, token_mask=None, **options):
        x = super().states(tokens, token_mask, **options)
        return x + x.mean(dim=1, keepdim=True)


def plant(kind=Decoder, **changes):
    shape = {"vocab_size": V, "context": 8, "width": 8, "heads": 2, "blocks": 2} | changes
    return kind(DecoderConfig(**shape), seed=1)


def convicted(model):
    return {finding.name: finding.detail for finding in ladder(model) if not finding.holds}


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
def test_plain_positions_under_left_padding_are_convicted(positions):
    found = convicted(plant(PlainPositions, positions=positions))
    assert set(found) - CACHED == {ALONE}
    assert found[ALONE].startswith("row 0 in a batch padded on the left: numbers differ")


def test_padding_that_is_looked_at_is_convicted_on_the_left_and_harmless_on_the_right():
    found = convicted(plant(ForgetsPadding))
    assert set(found) == {ALONE}
    assert found[ALONE].startswith("row 0 in a batch padded on the left: numbers differ")
    check_padding(plant(ForgetsRightPadding), [[3, 4], [5, 3, 4]])  # causal: nobody looks there
    with pytest.raises(InvariantBroken, match=r"^row 0 in a batch padded on the right: numbers"):
        check_padding(plant(ForgetsRightPadding, causal=False), [[3, 4], [5, 3, 4]])


def test_one_token_too_many_is_convicted_in_a_decoder():
    # every position sees one further in the first block, and so two further in the second
    found = convicted(plant(OneTooMany))
    assert found[CHANGE] == f"{LEAKS} (22 such pairs)"
    assert found[GRADIENT] == f"{LEAKS} (13 such pairs)"  # 11 in a row of 7 tokens, 13 in one of 8
    assert MIRROR not in found


@pytest.mark.parametrize("block", [0, 1, 2])
def test_a_single_block_without_its_mask_is_convicted(block):
    model = plant(blocks=3)
    broken = model.blocks[block].attention
    honest = broken.forward
    broken.forward = lambda x, mask=None, **options: honest(x, **options)
    found = convicted(model)
    assert found[CHANGE].startswith(LEAKS)
    assert found[GRADIENT].startswith(LEAKS)
    assert MIRROR not in found


def test_a_leak_that_the_mask_has_no_part_in_is_convicted():
    found = convicted(plant(AddsTheMean))
    assert found[CHANGE] == f"{LEAKS} (42 such pairs)"


def test_removed_attention_is_convicted():
    found = convicted(plant(attention=False))
    assert set(found) == {MIRROR}
    assert found[MIRROR] == (
        "mirror test: in row 0 the output at position 1 ignores token 0, which it may see"
        " (42 such pairs)"
    )


def test_attention_that_forgets_the_oldest_token_is_convicted():
    model = plant(blocks=1)
    honest = model.mask
    model.mask = lambda queries, token_mask=None, keys=None: (
        honest(queries, keys=keys) & (masks.window(queries, keys, width=6))
    )
    assert convicted(model)[MIRROR] == (
        "mirror test: in row 0 the output at position 6 ignores token 0, which it may see"
        " (2 such pairs)"
    )


def test_the_ladder_leaves_the_mode_also_after_a_conviction():
    model = plant(OneTooMany, dropout=0.5).train()
    ladder(model)
    assert all(module.training for module in model.modules())


# ---- every path with a cache gives the same numbers ----------------------------------------------


@given(configs, seeds, st.data())
@examples(40)
def test_every_decoder_gives_the_same_with_every_cache_in_all_pieces_C32(config, seed, data):
    rows, extra = data.draw(rows_that_fit(config))
    length = max(map(len, rows)) + extra
    cuts = sorted(data.draw(st.sets(st.integers(1, length))) | {length})
    model = Decoder(config, seed=seed).train(data.draw(st.booleans()))
    for kind in KINDS if config.window else KINDS[:2]:
        check_cached(model, rows, kind, cuts, extra=extra)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("cuts", [[7, 16], [1, 16], [15, 16], list(range(1, 17)), [16]])
def test_sixteen_tokens_in_pieces_equal_one_pass_C32(kind, batch, cuts):
    window = 5 if kind == "window" else None
    model = plant(context=16, blocks=2, window=window)
    tokens = torch.randint(V, (batch, 16), generator=torch.Generator().manual_seed(1))
    check_cached(model, tokens.tolist(), kind, cuts)


@given(configs, seeds, st.sampled_from([0, 0.5, 1, 2]), st.sampled_from([1.0, 0.7]), st.data())
@examples(30)
def test_every_decoder_says_the_same_with_every_cache(config, seed, temperature, top_p, data):
    longest = st.integers(1, config.context - 1)
    rows = [[1] * size for size in data.draw(st.lists(longest, min_size=1, max_size=3))]
    new = data.draw(st.integers(1, config.context - max(map(len, rows))))
    options = {"temperature": temperature, "top_p": top_p, "seed": seed}
    for kind in KINDS if config.window else KINDS[:2]:
        check_generation(Decoder(config, seed=seed), rows, kind, max_new_tokens=new, **options)


@pytest.mark.parametrize("cuts", [[], [3], [2, 2, 4], [0, 4], [3, 2, 4], [2, 5]])
def test_cuts_that_do_not_cover_the_cached_text_are_refused(cuts):
    with pytest.raises(ValueError) as caught:
        check_cached(plant(), [[3], [3, 4, 5, 3]], "growing", cuts)
    assert f"cuts is {cuts}; give rising numbers from 1 that end with 4" in str(caught.value)


def test_a_check_that_cannot_be_made_says_so_and_convicts_nobody():
    for check in (
        lambda model, kind: check_cached(model, [[3, 4]], kind, [2]),
        lambda model, kind: check_generation(model, [[3, 4]], kind, max_new_tokens=1),
    ):
        with pytest.raises(ValueError, match="kind is 'growin'; allowed are 'growing', 'prealloc"):
            check(plant(), "growin")
        with pytest.raises(ValueError, match="this model looks back without limit"):
            check(plant(), "window")
        with pytest.raises(ValueError, match="second sequence"):
            check(plant(cross_attention=True), "growing")
    with pytest.raises(ValueError, match="exceeds the context"):
        check_generation(plant(context=4), [[3, 4]], "growing", max_new_tokens=3)
    with pytest.raises(TypeError, match="'top_q' is no control"):
        check_generation(plant(), [[3, 4]], "growing", max_new_tokens=3, top_q=1)
    with pytest.raises(ValueError, match="rows is empty"):
        check_cached(plant(), [], "growing", [1])


# ---- planted faults: a wrong cache ---------------------------------------------------------------


def with_cache(kind, faulty, **changes):
    """A decoder whose caches of one kind are of a faulty class."""
    model = plant(**changes)
    honest = model.new_cache

    def new_cache(batch, asked="growing", *, capacity=None):
        cache = honest(batch, asked, capacity=capacity)
        if asked == kind:
            cache.__class__ = type("Faulty", (faulty, type(cache)), {})
        return cache

    model.new_cache = new_cache
    return model


class ForgetsTheOldest(Cache):
    """Nobody looks at the first key any more once there is a past."""

    def begin(self, token_mask, model):
        seen = super().begin(token_mask, model).clone()
        if self.length:
            seen[:, 0] = False
        return seen


class OtherRow(Cache):
    """What comes back is another row's."""

    def append(self, block, key, value):
        return tuple(x.roll(1, dims=0) for x in super().append(block, key, value))


class OtherBlock(Cache):
    """Every block reads and writes the first block's keys."""

    def append(self, block, key, value):
        return super().append(0, key, value)


class SwapsKeysAndValues(Cache):
    """Keys come back as values and values as keys."""

    def append(self, block, key, value):
        return super().append(block, key, value)[::-1]


class OnlyNew(Cache):
    """The past is never given back."""

    def append(self, block, key, value):
        super().append(block, key, value)
        return key, value


class CountsCalls(Cache):
    """A piece counts as one token, however long it is."""

    def commit(self):
        length = self.length
        super().commit()
        self.length = length + 1


class ResetKeepsTheLength(Cache):
    """The tensors are emptied, the pointer stays."""

    def reset(self):
        length = getattr(self, "length", 0)
        super().reset()
        self.length = length


class ResetKeepsTheKeys(Cache):
    """The pointer goes back, the tensors stay."""

    def _clear(self):
        if not hasattr(self, "keys"):
            super()._clear()


EVERY_KIND = [
    (ForgetsTheOldest, r"chunk \d+:\d+, row 0, position \d: numbers differ by up to"),
    (OtherRow, r"chunk 0:7, row 0, position 0: numbers differ by up to"),
    (SwapsKeysAndValues, r"chunk 0:7, row 0, position 0: numbers differ by up to"),
    (OnlyNew, r"chunk 1:7(, row 0, position 1: numbers|: ValueError: mask has shape)"),
    (CountsCalls, r"chunk 0:7: its length is 1, not 7"),
]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("faulty", "words"), EVERY_KIND)
def test_a_faulty_cache_is_convicted_by_its_own_rung(kind, faulty, words):
    window = 4 if kind == "window" else None
    found = convicted(with_cache(kind, faulty, window=window))
    assert set(found) == {CHUNKS[kind], TOKENS}
    assert re.match(f"{kind} cache, {words}", found[CHUNKS[kind]])
    assert found[TOKENS].startswith(f"{kind} cache, chunk ")


@pytest.mark.parametrize("kind", ["growing", "preallocated"])
def test_blocks_that_share_their_keys_are_convicted_where_there_are_two(kind):
    found = convicted(with_cache(kind, OtherBlock))
    assert set(found) == {CHUNKS[kind], TOKENS}
    assert not convicted(with_cache(kind, OtherBlock, blocks=1))


@pytest.mark.parametrize("kind", KINDS)
def test_a_reset_that_keeps_the_length_is_convicted_by_the_chunk_rung_alone_C33(kind):
    found = convicted(with_cache(kind, ResetKeepsTheLength, window=4 if kind == "window" else None))
    assert found == {CHUNKS[kind]: f"{kind} cache after a reset: its length is 7, not 0"}


def test_a_reset_that_keeps_the_keys_is_convicted_C33():
    found = convicted(with_cache("growing", ResetKeepsTheKeys))
    assert set(found) == {CHUNKS["growing"]}
    assert found[CHUNKS["growing"]].startswith("growing cache after a reset, chunk 0:7: ValueError")


class WritesOnce(Cache):
    """Room that was written to once is never written to again, reset or not."""

    def _join(self, block, key, value):
        written = self.__dict__.setdefault("written", {})
        before = written.get(block, 0)
        room = self._room[2 * block], self._room[2 * block + 1]
        old = [x[:, :, :before].clone() for x in room]
        joined = super()._join(block, key, value)
        for x, kept in zip(room, old, strict=True):
            x[:, :, :before] = kept
        written[block] = max(before, self.length + key.shape[2])
        return joined


def test_keys_that_outlive_a_reset_are_convicted_C33():
    found = convicted(with_cache("preallocated", WritesOnce))
    assert set(found) == {CHUNKS["preallocated"]}
    words = "preallocated cache after a reset, chunk 0:7, row 0, position 0: numbers differ"
    assert found[CHUNKS["preallocated"]].startswith(words)


class KeepsOneTooFew(WindowCache):
    """Keeps W - 2 old keys beside the new ones: the window is one short."""

    def _kept_before(self):
        return min(self.length, max(0, self.width - 2))


def test_a_window_cache_that_keeps_one_too_few_is_convicted_by_its_rung_C34():
    found = convicted(with_cache("window", KeepsOneTooFew, window=4))
    assert set(found) == {CHUNKS["window"], TOKENS}
    # the first position with more of a past than such a cache keeps
    assert found[CHUNKS["window"]].startswith("window cache, chunk 6:7, row 0, position 6: numbers")


class NeedsOneMore(Cache):
    """Refuses the last token that there is room for."""

    def _check_room(self, new):
        super()._check_room(new + 1)


def test_a_cache_that_is_full_too_soon_is_convicted():
    found = convicted(with_cache("preallocated", NeedsOneMore))
    assert set(found) == {CHUNKS["preallocated"], TOKENS}
    words = "preallocated cache, chunk 0:7: ValueError: the cache is full"
    assert found[CHUNKS["preallocated"]].startswith(words)


def test_equal_tokens_do_not_clear_a_cache_that_forgets():
    """Greedy text comes out right without the oldest key; the logits do not."""
    model = load("captions")
    honest = model.new_cache

    def forgetful(*asked, **options):
        cache = honest(*asked, **options)
        cache.__class__ = type("Forgetful", (ForgetsTheOldest, type(cache)), {})
        return cache

    prompts = torch.tensor([[1, 3, 8], [1, 3, 9]])
    options = {"max_new_tokens": 5, "temperature": 0, "stop_ids": None}
    plain, cached = (generate(model, prompts, cache=c, **options) for c in (None, forgetful(2)))
    assert plain.rows() == cached.rows()
    model.new_cache = forgetful
    with pytest.raises(InvariantBroken, match=r"^growing cache, chunk 3:4, row 0, position 3: num"):
        check_generation(model, prompts.tolist(), "growing", max_new_tokens=5, temperature=0)
    with pytest.raises(InvariantBroken, match=r"^growing cache, chunk 1:2, row 0, position 1: num"):
        check_cached(model, prompts.tolist(), "growing", [1, 2, 3])


# ---- planted faults: a decoder that is right in one pass and wrong with a cache ------------------


class RestartsPositions(Decoder):
    """Positions begin at 0 in every piece."""

    def _place(self, x, token_mask, past):
        return super()._place(x, token_mask, 0)


class PositionsFromLength(Decoder):
    """Positions of a later piece count the padding before it (C37)."""

    def _states(self, vectors, token_mask, cache, memory):
        self.past = 0 if cache is None else cache.length
        return super()._states(vectors, token_mask, cache, memory)

    def _place(self, x, token_mask, past):
        return super()._place(x, token_mask, self.past)


class SquareMask(Decoder):
    """The triangle is aligned to the top left, as torch's is_causal is."""

    def mask(self, queries, token_mask=None, *, keys=None):
        plane = torch.ones(queries, queries if keys is None else keys, dtype=torch.bool).tril()
        return masks.both(plane, masks.padding(token_mask) if token_mask is not None else None)


class NoMaskInSteps(Decoder):
    """The tokens of a piece see the whole piece."""

    def mask(self, queries, token_mask=None, *, keys=None):
        if keys is None:
            return super().mask(queries, token_mask)
        plane = torch.ones(queries, keys, dtype=torch.bool)
        return masks.both(plane, masks.padding(token_mask) if token_mask is not None else None)


class ForgetsPaddingInSteps(Decoder):
    """Padding is hidden in one pass, and forgotten with a cache."""

    def mask(self, queries, token_mask=None, *, keys=None):
        return super().mask(queries, None if keys is not None else token_mask, keys=keys)


BOTH = {CHUNKS["growing"], CHUNKS["preallocated"], TOKENS}
WRONG_WITH_A_CACHE = [
    (RestartsPositions, BOTH, "chunk 1:7, row 0, position 1: numbers differ"),
    (SquareMask, BOTH, "chunk 1:7, row 0, position 1: numbers differ"),
    (NoMaskInSteps, BOTH, "chunk 0:7, row 0, position 0: numbers differ"),
    # only a row with padding can show these two: the first is the shorter one
    (PositionsFromLength, BOTH, "chunk 4:8, row 0, position 5: numbers differ"),
    (ForgetsPaddingInSteps, BOTH, "chunk 0:8, row 0, position 5: numbers differ"),
]


@pytest.mark.parametrize(("kind", "rungs", "words"), WRONG_WITH_A_CACHE)
def test_what_goes_wrong_with_a_cache_only_is_convicted_by_its_rungs_only(kind, rungs, words):
    found = convicted(plant(kind))
    assert set(found) == rungs
    for cache in ("growing", "preallocated"):
        assert found[CHUNKS[cache]].startswith(f"{cache} cache, {words}")


class NoNumbersInSteps(Decoder):
    """With a cache one logit of every position is NaN."""

    def forward(self, tokens, token_mask=None, *, cache=None, memory=None):
        logits = super().forward(tokens, token_mask, cache=cache)
        if cache is not None:
            logits[..., 0] = torch.nan
        return logits


def test_nan_from_a_cache_is_convicted():
    found = convicted(plant(NoNumbersInSteps))
    assert set(found) == BOTH
    assert found[CHUNKS["growing"]] == (
        "growing cache, chunk 0:7, row 0, position 0: numbers differ by up to inf, allowed 1e-05"
    )


class AnythingAtPadding(Decoder):
    """Says something else at padding each time, as it may: nobody reads it."""

    calls = 0

    def forward(self, tokens, token_mask=None, *, cache=None, memory=None):
        logits = super().forward(tokens, token_mask, cache=cache)
        self.calls += 1
        if token_mask is not None:
            logits = logits.masked_fill(~token_mask[..., None], self.calls)
        return logits


def test_what_is_said_at_padding_convicts_nobody():
    assert not convicted(plant(AnythingAtPadding))
    assert not convicted(plant(AnythingAtPadding, window=3))


def test_positions_that_restart_matter_only_where_there_are_positions():
    assert not convicted(plant(RestartsPositions, positions="none"))
    assert set(convicted(plant(RestartsPositions, positions="sinusoidal"))) == BOTH


class LooksAtTheFirst(Decoder):
    """With a cache the first position's logits are taken for the last one's."""

    def next_logits(self, tokens, token_mask=None, *, cache=None, memory=None):
        if cache is None:
            return super().next_logits(tokens, token_mask)
        return self(tokens, token_mask, cache=cache)[:, 0]


class Lukewarm(Decoder):
    """With a cache the logits are a little too small, which greedy does not notice."""

    def next_logits(self, tokens, token_mask=None, *, cache=None, memory=None):
        logits = super().next_logits(tokens, token_mask, cache=cache)
        return logits if cache is None else logits * 0.999


class ShufflesTheRest(Decoder):
    """With a cache all logits but the largest change places, which greedy cannot notice."""

    def next_logits(self, tokens, token_mask=None, *, cache=None, memory=None):
        logits = super().next_logits(tokens, token_mask, cache=cache)
        if cache is not None:
            for row in logits:
                rest = [i for i in range(len(row)) if i != row.argmax()]
                row[rest] = row[rest].roll(1)
        return logits


def test_generation_is_tried_beyond_greedy():
    model = plant(ShufflesTheRest)
    check_generation(model, [[3, 4]], "growing", max_new_tokens=4, temperature=0)
    assert set(convicted(model)) == {TOKENS}


class SlightlyOff(Decoder):
    """With a cache every logit is larger by a millionth."""

    def forward(self, tokens, token_mask=None, *, cache=None, memory=None):
        return super().forward(tokens, token_mask, cache=cache) + (cache is not None) * 1e-6


def test_the_tolerance_of_the_checks_with_a_cache_counts():
    model, rows = plant(SlightlyOff).double(), [[3, 4], [5]]
    checks = (
        partial(check_cached, model, rows, "growing", [1, 2]),
        partial(check_generation, model, rows, "growing", max_new_tokens=2),
    )
    for check in checks:
        check(tolerance=1.1e-6)
        with pytest.raises(InvariantBroken, match=r"differ by up to 1e-06, allowed 9e-07$"):
            check(tolerance=9e-7)


def test_what_only_generation_does_is_convicted_by_its_rung_only():
    found = convicted(plant(LooksAtTheFirst))
    assert set(found) == {TOKENS}
    assert re.match(
        r"growing cache: in row \d new token 0 is \d, without a cache it is \d", found[TOKENS]
    )
    found = convicted(plant(Lukewarm))
    assert set(found) == {TOKENS}
    assert found[TOKENS].startswith("growing cache: log-probabilities of the new tokens: numbers")


# ---- planted faults: a wrong window -------------------------------------------------------------


class WindowOff(Decoder):
    """A window that is `off` tokens too wide, in every block."""

    off = 1

    def mask(self, queries, token_mask=None, *, keys=None):
        width = max(1, self.config.window + self.off)
        plane = masks.window(queries, keys, width=width)
        return masks.both(plane, masks.padding(token_mask) if token_mask is not None else None)


class WindowTooNarrow(WindowOff):
    """A window that is one token too narrow."""

    off = -1


@pytest.mark.parametrize(("window", "blocks"), [(1, 1), (2, 1), (4, 1), (1, 2), (2, 2), (3, 2)])
def test_a_window_of_one_more_is_convicted_C34(window, blocks):
    # the reach of all blocks is 1 + (W - 1) * blocks, and here one more for each block
    found = convicted(plant(WindowOff, window=window, blocks=blocks))
    reach = 1 + (window - 1) * blocks
    for name in (CHANGE, GRADIENT):
        assert found[name].startswith(
            f"leak test: in row 0 the output at position {reach} depends on token 0"
        )
    # the window cache no longer has the one key too many; the others agree with the wrong mask
    assert set(found) == {CHANGE, GRADIENT, CHUNKS["window"], TOKENS}


@pytest.mark.parametrize(("window", "blocks"), [(2, 1), (4, 1), (2, 2), (3, 2), (2, 3)])
def test_a_window_of_one_less_is_convicted_by_the_mirror_alone_C34(window, blocks):
    found = convicted(plant(WindowTooNarrow, window=window, blocks=blocks))
    first = 1 + (window - 2) * blocks  # the nearest token that is out of reach
    assert set(found) == {MIRROR}
    assert found[MIRROR].startswith(
        f"mirror test: in row 0 the output at position {first} ignores token 0"
    )


@pytest.mark.parametrize("block", [0, 1, 2])
@pytest.mark.parametrize(("width", "test"), [(3, CHANGE), (1, MIRROR)])
def test_a_wrong_window_in_a_single_block_is_convicted(block, width, test):
    model = plant(window=2, blocks=3)
    broken = model.blocks[block].attention
    honest = broken.forward

    def forward(x, mask=None, **options):
        return honest(x, masks.window(x.shape[1], width=width), **options)

    broken.forward = forward
    found = convicted(model)
    place = {CHANGE: "position 4 depends on token 0", MIRROR: "position 3 ignores token 0"}[test]
    assert test in found and place in found[test]


# ---- the ladder itself ---------------------------------------------------------------------------


@pytest.mark.parametrize("vocab_size", [2, 3, 4])
def test_the_ladder_stands_also_in_the_smallest_vocabulary(vocab_size):
    assert convicted(plant(vocab_size=vocab_size)) == {}


def test_a_finding_reads_as_one_line():
    assert str(Finding("leak test", True)) == "holds   leak test"
    assert str(Finding("leak test", False, "row 0")) == "BROKEN  leak test: row 0"


# ---- equal numbers ------------------------------------------------------------------------------


def test_equal_within_the_tolerance_holds_and_beyond_it_tells_the_gap():
    wanted = torch.tensor([1.0, 2.0])
    check_equal(wanted + 0.9e-5, wanted, "this")
    with pytest.raises(
        InvariantBroken, match=r"^this: numbers differ by up to 0.5, allowed 1e-05$"
    ):
        check_equal(torch.tensor([1.0, 2.5]), wanted, "this")
    check_equal(torch.tensor([1.0, 2.5]), wanted, "this", tolerance=0.5)


@pytest.mark.parametrize("where", ["got", "wanted", "both"])
def test_nan_is_never_equal(where):
    good, bad = torch.zeros(2), torch.tensor([0.0, torch.nan])
    got, wanted = {"got": (bad, good), "wanted": (good, bad), "both": (bad, bad)}[where]
    with pytest.raises(InvariantBroken, match="numbers differ by up to inf"):
        check_equal(got, wanted, "this")


def test_another_shape_is_never_equal_even_if_it_broadcasts():
    with pytest.raises(InvariantBroken, match=r"shape \[1, 2\] against \[2\]"):
        check_equal(torch.zeros(1, 2), torch.zeros(2), "this")


class LeaksWhenLong(Decoder):
    """Causal up to seven tokens; in longer texts the first position sees the last one."""

    def mask(self, queries, token_mask=None, *, keys=None):
        mask = super().mask(queries, token_mask, keys=keys)
        if queries > 7:
            mask[..., 0, -1] = True
        return mask


def test_a_leak_that_shows_only_in_longer_texts_is_convicted():
    found = convicted(plant(LeaksWhenLong, context=32))
    assert found[GRADIENT].startswith(LEAKS) and CHANGE not in found


def test_the_ladder_needs_no_gradients_switched_on_and_leaves_them_as_they_were():
    with torch.no_grad():
        assert not convicted(plant())
        assert not torch.is_grad_enabled()


def test_a_context_of_one_has_no_rung_for_padding():
    names = {finding.name for finding in ladder(plant(context=1))}
    assert ALONE not in names and CHANGE in names


class NeedsPadding(Decoder):
    """Wrong only where padding stands in front of every row."""

    def mask(self, queries, token_mask=None, *, keys=None):
        some = token_mask is not None and not token_mask[:, 0].any()
        return super().mask(queries, None if some else token_mask, keys=keys)


def test_extra_padding_and_the_tolerance_count():
    model, rows = plant(NeedsPadding), [[3, 4], [5, 4]]
    check_padding(model, rows)
    with pytest.raises(InvariantBroken, match="padded on the left"):
        check_padding(model, rows, extra=1)
    check_padding(model, rows, extra=1, tolerance=1e3)
    assert ALONE in convicted(model)


def test_numbers_without_a_sign_do_not_wrap_around():
    with pytest.raises(InvariantBroken, match=r"differ by up to 2\.6e"):
        check_equal(*torch.tensor([[0], [255]], dtype=torch.uint8), "bytes", 1)
