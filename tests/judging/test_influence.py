"""The leak test and the mirror test, held against every mask, both forms of attention and stacked
blocks; and the measures themselves, which must find exactly the dependence there is."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder import masks
from helpers.decoder.config import DecoderConfig
from helpers.decoder.model import Block
from helpers.judging.influence import (
    InvariantBroken,
    check_no_leak,
    check_sees_all,
    influence_by_change,
    influence_by_gradient,
)
from tests.mask_cases import FORMS, forms, looks_with_fixed_queries, mask_cases, numbers, seeds
from tests.tiers import examples

# ---- every kind of mask, and every combination ---------------------------------------------------


@given(
    mask_cases(), forms, st.integers(1, 3), st.sampled_from([torch.float32, torch.float64]), seeds
)
@examples(100)
def test_attention_depends_on_exactly_what_its_mask_shows(case, form, heads, dtype, seed):
    function, x = looks_with_fixed_queries(
        form, case.mask(), case.batch, case.length, heads, seed, dtype
    )
    influence = influence_by_gradient(function, x)
    check_no_leak(influence, case.rows())
    check_sees_all(influence, case.rows())
    assert torch.equal(influence, case.rows())


@given(mask_cases(), forms, seeds)
@examples(60)
def test_changing_tokens_finds_the_same_dependence(case, form, seed):
    function, _ = looks_with_fixed_queries(form, case.mask(), case.batch, case.length, 2, seed)
    table = numbers(4, 4, seed=seed + 3)
    tokens = torch.randint(
        4, (case.batch, case.length), generator=torch.Generator().manual_seed(seed)
    )
    influence = influence_by_change(lambda ids: function(table[ids]), tokens, 4)
    assert torch.equal(influence, case.rows())


@given(mask_cases(), st.integers(1, 3), st.sampled_from(["post", "pre"]), seeds)
@examples(60)
def test_stacked_blocks_see_what_their_masks_let_them_reach(case, depth, placement, seed):
    config = DecoderConfig(vocab_size=6, context=8, width=8, heads=2, norm_placement=placement)
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


@pytest.mark.parametrize("place", [0, 1, 2])
def test_one_number_that_moves_or_matters_is_enough(place):
    def only_one(x):
        """Position t's outputs are 0 but for one, which is one number of the position before."""
        out = torch.zeros_like(x)
        out[..., place] = x.roll(1, dims=1)[..., place]
        return out

    before = [[0, 0, 2], [0, 1, 0], [0, 2, 1]]
    assert influence_by_gradient(only_one, numbers(1, 3, 3)).nonzero().tolist() == before
    table = numbers(4, 3)
    found = influence_by_change(lambda ids: only_one(table[ids]), torch.tensor([[0, 1, 2]]), 4)
    assert found.nonzero().tolist() == before


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
@examples(60)
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
