"""Every mask kind against a double loop over positions, and the conversions between conventions."""

import math
import subprocess
import sys

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder import masks

DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.float64)
HALVES_AND_FLOAT = (torch.float16, torch.bfloat16, torch.float32)
SIZES = st.integers(1, 8).flatmap(lambda keys: st.tuples(st.integers(1, keys), st.just(keys)))


# ---- each kind with its rule, said for one query and one key ------------------------------------
# A kind is a pair: the mask as helpers builds it, and rule(b, p, j): may the query at position p
# of row b see the key at position j? Queries are the last ones, so query i stands at keys - q + i.


@st.composite
def kinds(draw, name, batch, queries, keys):
    if name == "causal":
        return masks.causal(queries, keys), lambda b, p, j: j <= p
    if name == "window":
        width = draw(st.integers(1, keys + 2))
        return masks.window(queries, keys, width=width), lambda b, p, j: p - width < j <= p
    if name == "padding":
        real = draw(rows_of(st.booleans(), batch, keys))
        return masks.padding(torch.tensor(real)), lambda b, p, j: real[b][j]
    if name == "document":
        ids = draw(rows_of(st.integers(0, 2), batch, keys))
        return masks.document(torch.tensor(ids), queries), lambda b, p, j: ids[b][p] == ids[b][j]
    lengths = draw(st.lists(st.integers(0, keys + 1), min_size=batch, max_size=batch))
    return (
        masks.prefix(torch.tensor(lengths), queries, keys),
        lambda b, p, j: j <= p or (p < lengths[b] and j < lengths[b]),
    )


def rows_of(values, batch, length):
    row = st.lists(values, min_size=length, max_size=length)
    return st.lists(row, min_size=batch, max_size=batch)


NAMES = ("causal", "window", "padding", "document", "prefix")


def by_double_loop(rule, batch, queries, keys):
    first = keys - queries
    return torch.tensor(
        [
            [[[rule(b, first + i, j) for j in range(keys)] for i in range(queries)]]
            for b in range(batch)
        ]
    )  # [B, 1, Tq, Tk]


def assert_same_mask(mask, rule, batch, queries, keys):
    assert mask.dtype == torch.bool
    masks.check_mask(mask, batch, 3, queries, keys)  # what attention accepts
    wanted = by_double_loop(rule, batch, queries, keys)
    assert torch.equal(mask.expand(batch, 1, queries, keys), wanted)


@pytest.mark.parametrize("name", NAMES)
@given(st.integers(1, 3), SIZES, st.data())
def test_mask_equals_a_double_loop_over_positions(name, batch, sizes, data):
    queries, keys = sizes
    mask, rule = data.draw(kinds(name, batch, queries, keys))
    assert_same_mask(mask, rule, batch, queries, keys)


@given(
    st.integers(1, 3), SIZES, st.lists(st.sampled_from(NAMES), min_size=1, max_size=4), st.data()
)
def test_combined_masks_equal_a_double_loop(batch, sizes, names, data):
    queries, keys = sizes
    parts = [data.draw(kinds(name, batch, queries, keys)) for name in names]
    given_masks = [mask for mask, _ in parts]
    rules = [rule for _, rule in parts]
    assert_same_mask(
        masks.both(*given_masks), lambda *at: all(r(*at) for r in rules), batch, queries, keys
    )
    assert_same_mask(
        masks.either(*given_masks), lambda *at: any(r(*at) for r in rules), batch, queries, keys
    )
    # None is "no limit"
    assert torch.equal(masks.both(None, *given_masks, None), masks.both(*given_masks))


@given(SIZES, st.sampled_from(NAMES), st.data())
def test_combining_changes_none_of_the_masks(sizes, name, data):
    queries, keys = sizes
    mask, _ = data.draw(kinds(name, 2, queries, keys))
    other = masks.causal(queries, keys)
    before = mask.clone(), other.clone()
    masks.both(mask, other)
    masks.either(mask, other)
    assert torch.equal(mask, before[0]) and torch.equal(other, before[1])


def test_both_of_nothing_is_no_limit():
    assert masks.both() is None
    assert masks.both(None, None) is None


# ---- what follows from the rules ----------------------------------------------------------------


@given(SIZES)
def test_the_last_query_sees_every_key_and_each_query_itself_C03(sizes):
    queries, keys = sizes
    mask = masks.causal(queries, keys)
    assert mask[-1].all()
    assert mask.sum(dim=1).tolist() == list(range(keys - queries + 1, keys + 1))


@given(SIZES)
def test_rows_of_the_whole_mask_are_the_masks_of_its_last_queries_C03(sizes):
    queries, keys = sizes
    for build in (masks.causal, lambda q, k=None: masks.window(q, k, width=2)):
        assert torch.equal(build(queries, keys), build(keys, keys)[keys - queries :])
        assert torch.equal(build(keys), build(keys, keys))


@given(st.integers(1, 40))
def test_causal_has_half_of_t_times_t_plus_1_visible_pairs(length):
    assert int(masks.causal(length).sum()) == length * (length + 1) // 2


@given(SIZES)
def test_limits_of_window_prefix_and_document_are_causal_or_everything(sizes):
    queries, keys = sizes
    causal = masks.causal(queries, keys)
    assert torch.equal(masks.window(queries, keys, width=keys), causal)
    assert torch.equal(masks.window(keys, width=1), torch.eye(keys, dtype=torch.bool))
    for length in (0, 1):
        assert torch.equal(masks.prefix(torch.tensor([length]), queries, keys)[0, 0], causal)
    assert masks.prefix(torch.tensor([keys]), queries, keys).all()
    assert masks.document(torch.zeros(1, keys, dtype=torch.int64), queries).all()


def test_causal_numbers_C03():
    assert masks.causal(2, 5).long().tolist() == [[1, 1, 1, 1, 0], [1, 1, 1, 1, 1]]
    assert masks.causal(1, 5).long().tolist() == [[1, 1, 1, 1, 1]]
    assert masks.window(3, 4, width=2).long().tolist() == [[1, 1, 0, 0], [0, 1, 1, 0], [0, 0, 1, 1]]


# ---- numbers instead of booleans ----------------------------------------------------------------

FILLS = ("infinite", "finite")
BOOLEANS = st.tuples(st.integers(1, 3), st.integers(1, 5)).flatmap(
    lambda shape: rows_of(st.booleans(), *shape).map(torch.tensor)
)


@given(BOOLEANS, st.sampled_from(DTYPES), st.sampled_from(FILLS))
def test_a_mask_makes_the_round_trip_through_numbers(mask, dtype, fill):
    additive = masks.to_additive(mask, dtype, fill)
    assert additive.dtype == dtype and additive.shape == mask.shape
    assert (additive[mask] == 0).all()
    assert torch.equal(masks.from_additive(additive), mask)


@given(st.integers(1, 3), SIZES, st.sampled_from(NAMES), st.sampled_from(DTYPES), st.data())
def test_every_kind_makes_the_round_trip(batch, sizes, name, dtype, data):
    mask, _ = data.draw(kinds(name, batch, *sizes))
    for fill in FILLS:
        assert torch.equal(masks.from_additive(masks.to_additive(mask, dtype, fill)), mask)
    assert torch.equal(masks.to_hidden(masks.to_hidden(mask)), mask)


@given(BOOLEANS, st.sampled_from(HALVES_AND_FLOAT), st.floats(-1, 1))
def test_a_score_added_to_a_finite_mask_cannot_overflow_C02(mask, dtype, share):
    # any score up to half the dtype's largest number, either sign
    score = torch.tensor(share * (torch.finfo(dtype).max / 2), dtype=torch.float64).to(dtype)
    masked = masks.to_additive(mask, dtype, "finite") + score
    assert masked.dtype == dtype
    assert masked.isfinite().all()
    assert masked.softmax(dim=-1).isfinite().all()


@given(
    st.integers(1, 2), SIZES, st.sampled_from(HALVES_AND_FLOAT), st.floats(-1000, 1000), st.data()
)
def test_combined_causal_and_padding_never_overflow_C02(batch, sizes, dtype, score, data):
    queries, keys = sizes
    causal = masks.causal(queries, keys)
    padding, _ = data.draw(kinds("padding", batch, queries, keys))
    additive = masks.to_additive(masks.both(causal, padding), dtype, "finite")
    assert additive.isfinite().all()
    scores = additive + torch.tensor(score, dtype=dtype)
    assert scores.isfinite().all() and scores.softmax(dim=-1).isfinite().all()
    visible = masks.both(causal, padding)
    seeing = visible.any(dim=-1, keepdim=True)
    assert (scores.softmax(dim=-1)[seeing & ~visible] == 0).all()  # hidden keys get exactly nothing


@pytest.mark.parametrize("dtype", HALVES_AND_FLOAT)
def test_five_tokens_with_two_pads_on_the_left_C02(dtype):
    token_mask = torch.tensor([[0, 0, 0, 1, 1]], dtype=torch.bool)
    mask = masks.both(masks.causal(5), masks.padding(token_mask))
    assert mask[0, 0].nonzero().tolist() == [[3, 3], [4, 3], [4, 4]]
    additive = masks.to_additive(mask, dtype, "finite")
    assert additive.isfinite().all()
    assert int((additive == 0).sum()) == 3
    scores = additive + torch.tensor(-17.0, dtype=dtype)
    assert scores.isfinite().all()
    weights = scores.softmax(dim=-1)
    assert weights.isfinite().all()
    assert weights[0, 0, 3].tolist() == [0, 0, 0, 1, 0]
    assert weights[0, 0, 4].tolist() == [0, 0, 0, 0.5, 0.5]


def test_infinite_fill_is_minus_infinity_and_finite_is_half_the_lowest_number():
    mask = torch.tensor([[True, False]])
    assert masks.to_additive(mask).tolist() == [[0.0, -math.inf]]
    assert masks.to_additive(mask, torch.float16, "finite").tolist() == [[0.0, -32752.0]]


@pytest.mark.parametrize("dtype", DTYPES)
def test_minus_infinity_and_the_lowest_number_of_other_code_are_understood(dtype):
    lowest = torch.finfo(dtype).min
    additive = torch.tensor([[0.0, -0.0, lowest, -math.inf]], dtype=dtype)
    assert masks.from_additive(additive).tolist() == [[True, True, False, False]]


@pytest.mark.parametrize("number", [-1e5, -1e9, -17.0, 1.0, math.inf, math.nan])
def test_numbers_that_hide_only_sometimes_are_refused(number):
    with pytest.raises(ValueError, match=r"additive holds .*; a mask holds 0 and -inf"):
        masks.from_additive(torch.tensor([[0.0, number]]))


def test_hidden_is_the_opposite():
    assert masks.to_hidden(masks.causal(2)).tolist() == [[False, True], [False, False]]


# ---- bad input ----------------------------------------------------------------------------------

ADDITIVE = torch.zeros(2, 2)


@pytest.mark.parametrize(
    "call, error, message",
    [
        (lambda: masks.causal(3, 2), ValueError, "queries=3 is more than keys=2"),
        (lambda: masks.causal(0), ValueError, "queries=0, keys=0; give at least one"),
        (lambda: masks.causal(-1, 2), ValueError, "queries=-1, keys=2"),
        (lambda: masks.window(3, 2, width=1), ValueError, "queries=3 is more than keys=2"),
        (lambda: masks.window(2, width=0), ValueError, "width is 0; .* give 1 or more"),
        (lambda: masks.padding(torch.ones(1, 2)), TypeError, "token_mask is torch.float32; give"),
        (lambda: masks.padding(torch.ones(2).bool()), ValueError, r"has shape \[2\]; give"),
        (lambda: masks.document(torch.zeros(3)), ValueError, r"document_ids has shape \[3\]"),
        (lambda: masks.document(torch.zeros(1, 3), 4), ValueError, "queries is 4; give 1 to 3"),
        (lambda: masks.document(torch.zeros(1, 3), 0), ValueError, "queries is 0; give 1 to 3"),
        (lambda: masks.prefix(torch.zeros(2), 3), ValueError, r"torch.float32 \[2\]; give int64"),
        (lambda: masks.prefix(torch.zeros(2, 1).long(), 3), ValueError, r"lengths .* \[2, 1\]"),
        (lambda: masks.prefix(torch.ones(2).long(), 3, 2), ValueError, "queries=3 is more"),
        (lambda: masks.both(masks.causal(2), ADDITIVE), TypeError, "mask 1 is torch.float32"),
        (lambda: masks.either(ADDITIVE, masks.causal(2)), TypeError, "mask 0 is torch.float32"),
        (lambda: masks.both(ADDITIVE, ADDITIVE), TypeError, "two added planes of very negative"),
        (lambda: masks.to_additive(ADDITIVE), TypeError, "mask is torch.float32; give a boolean"),
        (lambda: masks.to_additive(masks.causal(2), fill="big"), ValueError, "fill is 'big'; give"),
        (lambda: masks.from_additive(masks.causal(2)), TypeError, "additive is torch.bool"),
        (lambda: masks.to_hidden(ADDITIVE), TypeError, "mask is torch.float32; give a boolean"),
    ],
)  # fmt: skip
def test_impossible_masks_are_refused_by_name(call, error, message):
    with pytest.raises(error, match=message):
        call()


@given(st.tuples(*[st.integers(1, 2)] * 4), st.lists(st.integers(1, 2), max_size=5))
def test_a_shape_passes_exactly_when_it_expands_to_the_scores(wanted, shape):
    mask = torch.ones(shape, dtype=torch.bool)
    padded = [1] * (4 - len(shape)) + shape
    fits = 2 <= len(shape) <= 4 and all(a in (1, b) for a, b in zip(padded, wanted, strict=True))
    if fits:
        masks.check_mask(mask, *wanted)
        assert mask.expand(wanted).shape == wanted
    else:
        with pytest.raises(ValueError) as error:
            masks.check_mask(mask, *wanted)
        assert f"mask has shape {shape}" in str(error.value)
        assert f"[B, H, Tq, Tk] = {list(wanted)}" in str(error.value)


def test_masks_are_made_on_the_cpu_unless_asked_C73():
    made = (masks.causal(2), masks.window(2, width=1), masks.prefix(torch.tensor([1]), 2))
    assert all(mask.device.type == "cpu" for mask in made)
    assert masks.causal(2, device="meta").device.type == "meta"
    assert masks.window(2, width=1, device="meta").device.type == "meta"


def test_masks_that_do_not_fit_together_are_named():
    with pytest.raises(ValueError, match=r"shapes \[3, 3\], \[4, 4\]; they must be broadcastable"):
        masks.both(masks.causal(3), masks.causal(4))


def test_a_quarter_of_the_lowest_number_is_no_mask():
    low = torch.finfo(torch.float32).min
    assert masks.from_additive(torch.tensor([low / 2])).tolist() == [False]
    with pytest.raises(ValueError, match="a mask holds 0 and -inf"):
        masks.from_additive(torch.tensor([low / 4]))


def test_looking_at_a_shape_loads_no_library_for_algebra():
    said = (
        "import sys, torch; from helpers.decoder import attention, masks; "
        "x = torch.ones(1, 1, 3, 2); "
        "attention.attention(x, x, x, masks.causal(3)); print('sympy' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True)
    assert done.stdout == "False\n"
