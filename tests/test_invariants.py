"""The invariants, held against every mask, both forms of attention and every shape of decoder;
and the checks themselves, which must convict planted faults by name and place."""

from dataclasses import dataclass

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import masks
from helpers.attention import attention, fused_attention, merge_heads, split_heads
from helpers.invariants import (
    Finding,
    InvariantBroken,
    check_chunks,
    check_equal,
    check_no_leak,
    check_padding,
    check_sees_all,
    influence_by_change,
    influence_by_gradient,
    ladder,
)
from helpers.model import Block, Decoder, DecoderConfig
from helpers.pretrained import RECIPES, load

V = 6
FORMS = [attention, fused_attention]
forms = st.sampled_from(FORMS)
seeds = st.integers(0, 10_000)


def numbers(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=dtype)


# ---- every kind of mask, and every combination ---------------------------------------------------


@dataclass(frozen=True)
class MaskCase:
    """A mask by its parts; each part may be missing. All rows have T tokens."""

    batch: int
    length: int
    base: str  # "none", "causal", "window", "prefix"
    width: int
    prefix: torch.Tensor  # [B]
    documents: torch.Tensor | None  # [B, T]
    token_mask: torch.Tensor | None  # [B, T]

    def mask(self, start=0, end=None):
        """The mask of the queries start:end over the keys 0:end."""
        end = self.length if end is None else end
        queries = end - start
        base = {
            "none": lambda: torch.ones(queries, end, dtype=torch.bool),
            "causal": lambda: masks.causal(queries, end),
            "window": lambda: masks.window(queries, end, width=self.width),
            "prefix": lambda: masks.prefix(self.prefix, queries, end),
        }[self.base]()
        return masks.both(
            base,
            None if self.documents is None else masks.document(self.documents[:, :end], queries),
            None if self.token_mask is None else masks.padding(self.token_mask[:, :end]),
        )

    def rows(self):
        """The whole mask as [B, T, T]."""
        mask = self.mask()
        return mask.expand(self.batch, 1, self.length, self.length)[:, 0]


@st.composite
def mask_cases(draw, bases=("none", "causal", "window", "prefix"), first_piece=None):
    batch, length = draw(st.integers(1, 3)), draw(st.integers(2, 7))
    each = {"min_size": batch, "max_size": batch}
    prefix = draw(st.lists(st.integers(0, length), **each))
    documents = token_mask = None
    if draw(st.booleans()):
        steps = st.lists(st.integers(0, 1), min_size=length, max_size=length)
        documents = torch.tensor(draw(st.lists(steps, **each))).cumsum(dim=1)
    if draw(st.booleans()):
        real = torch.tensor(draw(st.lists(st.integers(1, length), **each)))
        token_mask = torch.arange(length) < real[:, None]
        if draw(st.booleans()):
            token_mask = token_mask.flip(1)
    return MaskCase(
        batch,
        length,
        draw(st.sampled_from(bases)),
        draw(st.integers(1, length)),
        torch.tensor(prefix),
        documents,
        token_mask,
    )


def looks_with_fixed_queries(form, mask, batch, length, heads, seed, dtype=torch.float32):
    """Attention whose keys and values come from x and whose queries do not, so that all that
    the output can depend on is what the mask shows."""
    width = 2 * heads
    query = numbers(batch, heads, length, 2, seed=seed, dtype=dtype)
    to_key, to_value = numbers(2, width, width, seed=seed + 1, dtype=dtype)

    def function(x):
        key, value = split_heads(x @ to_key, heads), split_heads(x @ to_value, heads)
        return merge_heads(form(query, key, value, mask))  # [B, T, C]

    return function, numbers(batch, length, width, seed=seed + 2, dtype=dtype)


@given(
    mask_cases(), forms, st.integers(1, 3), st.sampled_from([torch.float32, torch.float64]), seeds
)
@settings(max_examples=100)
def test_attention_depends_on_exactly_what_its_mask_shows(case, form, heads, dtype, seed):
    function, x = looks_with_fixed_queries(
        form, case.mask(), case.batch, case.length, heads, seed, dtype
    )
    influence = influence_by_gradient(function, x)
    check_no_leak(influence, case.rows())
    check_sees_all(influence, case.rows())
    assert torch.equal(influence, case.rows())


@given(mask_cases(), forms, seeds)
@settings(max_examples=60)
def test_changing_tokens_finds_the_same_dependence(case, form, seed):
    function, _ = looks_with_fixed_queries(form, case.mask(), case.batch, case.length, 2, seed)
    table = numbers(4, 4, seed=seed + 3)
    tokens = torch.randint(
        4, (case.batch, case.length), generator=torch.Generator().manual_seed(seed)
    )
    influence = influence_by_change(lambda ids: function(table[ids]), tokens, 4)
    assert torch.equal(influence, case.rows())


@given(mask_cases(), forms, st.data(), seeds)
@settings(max_examples=60)
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
@settings(max_examples=60)
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


@given(mask_cases(), st.integers(1, 3), st.sampled_from(["post", "pre"]), seeds)
@settings(max_examples=60)
def test_stacked_blocks_see_what_their_masks_let_them_reach(case, depth, placement, seed):
    config = DecoderConfig(vocab_size=V, context=8, width=8, heads=2, norm_placement=placement)
    torch.manual_seed(seed)
    blocks = [Block(config).double() for _ in range(depth)]

    def function(x):
        for block in blocks:
            x = block(x, case.mask())
        return x

    # one block: what the mask shows, and the token itself by the residual; then step by step
    step = case.rows() | torch.eye(case.length, dtype=torch.bool)
    reach = step
    for _ in range(depth - 1):
        reach = (reach.double() @ step.double()) > 0
    x = numbers(case.batch, case.length, 8, seed=seed, dtype=torch.float64)
    influence = influence_by_gradient(function, x)
    check_no_leak(influence, reach)
    check_sees_all(influence, reach)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("batch", [1, 3])
@pytest.mark.parametrize("cuts", [[7, 16], [1, 16], [15, 16], list(range(1, 17)), [16]])
def test_a_text_in_pieces_gives_the_numbers_of_one_pass(form, batch, cuts):
    check_chunks(form, *(numbers(batch, 2, 16, 4, seed=i) for i in range(3)), cuts)


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
    pad_id=st.sampled_from([0, 2, None]),
)


@given(configs, seeds, st.booleans())
@settings(max_examples=30)
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
@settings(max_examples=60)
def test_every_decoder_gives_a_row_the_same_alone_and_padded(config, causal, seed, data):
    config = DecoderConfig(**(vars(config) | {"causal": causal}))
    rows, extra = data.draw(rows_that_fit(config))
    check_padding(Decoder(config, seed=seed), rows, extra=extra)


@given(configs, seeds)
@settings(max_examples=10)
def test_an_encoder_is_convicted_of_the_leak_it_is_meant_to_have(config, seed):
    model = Decoder(DecoderConfig(**(vars(config) | {"causal": False})), seed=seed)
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
    assert all(finding.holds for finding in findings.values())


@pytest.mark.parametrize("name", RECIPES)
def test_of_the_shipped_models_only_those_without_attention_fall_off_the_ladder(name):
    broken = [finding.name for finding in ladder(load(name)) if not finding.holds]
    removed = RECIPES[name].shape.get("attention", True) is False
    assert broken == (["mirror test by changing tokens"] if removed else [])


# ---- the measures of dependence, on functions whose dependence is known -------------------------


@st.composite
def relations(draw):
    batch, length = draw(st.integers(1, 3)), draw(st.integers(1, 6))
    cells = st.booleans()
    size = batch * length * length
    flat = draw(st.lists(cells, min_size=size, max_size=size))
    return torch.tensor(flat).view(batch, length, length)


def depends_as(relation, seed=0):
    weights = numbers(*relation.shape, seed=seed, dtype=torch.float64) * relation
    return lambda x: weights @ x + 1


@given(relations(), seeds)
def test_both_measures_find_exactly_the_dependence_there_is(relation, seed):
    batch, length, _ = relation.shape
    function = depends_as(relation, seed)
    x = numbers(batch, length, 3, seed=seed, dtype=torch.float64)
    assert torch.equal(influence_by_gradient(function, x), relation)
    table = numbers(4, 3, seed=seed + 1, dtype=torch.float64)
    tokens = torch.randint(4, (batch, length), generator=torch.Generator().manual_seed(seed))
    before = tokens.clone()
    by_change = influence_by_change(lambda ids: function(table[ids]), tokens, 4)
    assert torch.equal(by_change, relation)
    assert torch.equal(tokens, before)


@given(relations(), relations(), st.booleans())
def test_the_two_tests_convict_exactly_the_first_wrong_place(influence, allowed, spread):
    if spread or influence.shape != allowed.shape:
        allowed = allowed[:1, :1, :1].expand(influence.shape)
    for check, wrong, words in (
        (check_no_leak, influence & ~allowed, "depends on token {}, which it may not see"),
        (check_sees_all, ~influence & allowed, "ignores token {}, which it may see"),
    ):
        places = wrong.nonzero().tolist()
        if not places:
            check(influence, allowed)
            continue
        b, t, s = places[0]
        with pytest.raises(InvariantBroken) as caught:
            check(influence, allowed)
        text = f"in row {b} the output at position {t} {words.format(s)}"
        more = f" ({len(places)} such pairs)" if len(places) > 1 else ""
        assert str(caught.value).endswith(f" test: {text}{more}")


@pytest.mark.parametrize("visible", [1, 2, 3, 4])
def test_a_change_that_only_one_other_token_makes_visible_is_found(visible):
    def function(ids):
        return (ids == visible).float().roll(1, dims=1)[..., None]

    tokens = torch.tensor([[0, 0, 0]])
    found = influence_by_change(function, tokens, 5).nonzero().tolist()
    assert found == [[0, 0, 2], [0, 1, 0], [0, 2, 1]]
    assert not influence_by_change(function, tokens, visible).any()


def test_a_dependence_that_vanishes_in_the_plain_sum_is_found():
    norm = torch.nn.LayerNorm(4)  # its four numbers always sum to 0
    assert torch.equal(
        influence_by_gradient(norm, numbers(1, 3, 4)), torch.eye(3, dtype=torch.bool)[None]
    )


@pytest.mark.parametrize("heads", [1, 2])
def test_masks_with_a_head_axis_are_understood(heads):
    # an output may depend on what at least one of its heads may see
    allowed = masks.causal(3).expand(2, 1, 3, 3)
    if heads == 2:
        allowed = torch.cat([allowed, torch.eye(3, dtype=torch.bool).expand(2, 1, 3, 3)], dim=1)
    influence = masks.causal(3).expand(2, 3, 3).clone()
    check_no_leak(influence, allowed)
    check_sees_all(influence, allowed)
    influence[1, 0, 2] = True
    with pytest.raises(
        InvariantBroken, match="in row 1 the output at position 0 depends on token 2"
    ):
        check_no_leak(influence, allowed)


def test_each_row_is_held_against_its_own_mask():
    documents = torch.tensor([[0, 0, 1], [0, 1, 1]])
    allowed = masks.both(masks.causal(3), masks.document(documents))  # [2, 1, 3, 3]
    influence = allowed[:, 0].flip(0)
    with pytest.raises(
        InvariantBroken, match="in row 0 the output at position 2 depends on token 1"
    ):
        check_no_leak(influence, allowed)


@pytest.mark.parametrize("check", [check_no_leak, check_sees_all])
@pytest.mark.parametrize("shape", [(2, 2), (4, 3, 3), (3,), (2, 1, 1, 3, 3)])
def test_a_mask_of_the_wrong_shape_is_refused(check, shape):
    influence = torch.zeros(2, 3, 3, dtype=torch.bool)
    with pytest.raises(ValueError) as caught:
        check(influence, torch.ones(shape, dtype=torch.bool))
    assert f"allowed has shape {list(shape)}" in str(caught.value)
    assert "[2, 3, 3]" in str(caught.value)


@pytest.mark.parametrize("check", [check_no_leak, check_sees_all])
def test_a_mask_of_numbers_is_refused(check):
    with pytest.raises(TypeError, match=r"allowed is torch\.float32"):
        check(torch.zeros(1, 3, 3, dtype=torch.bool), torch.zeros(3, 3))


# ---- planted faults: a wrong mask ---------------------------------------------------------------


T = 5
TRIANGLE = torch.ones(T, T, dtype=torch.bool)
WRONG_MASKS = {
    # name: (mask, leak: (position, token, pairs) or None, mirror: the same)
    "transposed triangle": (TRIANGLE.triu(), (0, 1, 10), (1, 0, 10)),
    "one token too many": (TRIANGLE.tril(1), (0, 1, 4), None),
    "hides itself": (TRIANGLE.tril(-1), None, (0, 0, 5)),
    "no mask": (None, (0, 1, 10), None),
    "no mask, as a plane": (TRIANGLE, (0, 1, 10), None),
    "nothing but itself": (TRIANGLE.tril().triu(), None, (1, 0, 10)),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", WRONG_MASKS)
def test_a_wrong_mask_is_convicted_by_name_and_place(form, name):
    mask, leak, mirror = WRONG_MASKS[name]
    function, x = looks_with_fixed_queries(form, mask, 1, T, 2, seed=0)
    table = numbers(4, 4, seed=9)
    tokens = torch.tensor([[0, 1, 2, 3, 0]])
    for influence in (
        influence_by_gradient(function, x),
        influence_by_change(lambda ids: function(table[ids]), tokens, 4),
    ):
        for check, found, words in (
            (check_no_leak, leak, "leak test: {} depends on token {}, which it may not see"),
            (check_sees_all, mirror, "mirror test: {} ignores token {}, which it may see"),
        ):
            if found is None:
                check(influence, masks.causal(T))
                continue
            position, token, pairs = found
            with pytest.raises(InvariantBroken) as caught:
                check(influence, masks.causal(T))
            place = f"in row 0 the output at position {position}"
            assert str(caught.value) == f"{words.format(place, token)} ({pairs} such pairs)"


@given(mask_cases(), forms, st.data(), seeds)
@settings(max_examples=60)
def test_one_wrong_cell_in_any_mask_is_convicted_at_that_cell(case, form, data, seed):
    b = data.draw(st.integers(0, case.batch - 1))
    t, s = (data.draw(st.integers(0, case.length - 1)) for _ in range(2))
    planted = case.rows().clone()
    planted[b, t, s] ^= True
    function, x = looks_with_fixed_queries(form, planted[:, None], case.batch, case.length, 2, seed)
    influence = influence_by_gradient(function, x)
    check, other = check_sees_all, check_no_leak
    words = f"ignores token {s}, which it may see"
    if planted[b, t, s]:
        check, other, words = other, check, f"depends on token {s}, which it may not see"
    other(influence, case.rows())
    with pytest.raises(InvariantBroken) as caught:
        check(influence, case.rows())
    assert str(caught.value).endswith(f"in row {b} the output at position {t} {words}")


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


# ---- planted faults: a wrong decoder ------------------------------------------------------------


class PlainPositions(Decoder):
    """Positions 0..T-1, whatever padding there is."""

    def embed(self, tokens, token_mask=None):
        return super().embed(tokens, None)


class ForgetsPadding(Decoder):
    """Causal, but padding may be looked at."""

    def mask(self, length, token_mask=None):
        return super().mask(length)


class ForgetsRightPadding(Decoder):
    """Hides padding only where a row begins with it."""

    def mask(self, length, token_mask=None):
        right = token_mask is not None and bool(token_mask[:, 0].all())
        return super().mask(length, None if right else token_mask)


class OneTooMany(Decoder):
    """Each position sees one token too many."""

    def mask(self, length, token_mask=None):
        return torch.ones(length, length, dtype=torch.bool).tril(1)


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


CHANGE, GRADIENT = "leak test by changing tokens", "leak test by gradient"
MIRROR, ALONE = "mirror test by changing tokens", "same alone and in a padded batch"
LEAKS = "leak test: in row 0 the output at position 0 depends on token 1, which it may not see"


@pytest.mark.parametrize("positions", ["learned", "sinusoidal"])
def test_plain_positions_under_left_padding_are_convicted(positions):
    found = convicted(plant(PlainPositions, positions=positions))
    assert set(found) == {ALONE}
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
    model.mask = lambda length, token_mask=None: (
        honest(length) & (masks.window(length, width=length - 1))
    )
    assert convicted(model)[MIRROR] == (
        "mirror test: in row 0 the output at position 6 ignores token 0, which it may see"
        " (2 such pairs)"
    )


def test_the_ladder_leaves_the_mode_also_after_a_conviction():
    model = plant(OneTooMany, dropout=0.5).train()
    ladder(model)
    assert all(module.training for module in model.modules())


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

    def mask(self, length, token_mask=None):
        mask = super().mask(length, token_mask).clone()
        if length > 7:
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

    def mask(self, length, token_mask=None):
        some = token_mask is not None and not token_mask[:, 0].any()
        return super().mask(length, None if some else token_mask)


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
