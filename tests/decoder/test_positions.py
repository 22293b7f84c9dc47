"""Positions counted over real tokens only, and the table of sines."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.positions import (
    RelativeBias,
    alibi_bias,
    alibi_slopes,
    position_ids,
    sinusoidal_table,
)

# ---- position ids -------------------------------------------------------------------------------


def padded(left, real, right):
    return [False] * left + [True] * real + [False] * right


@given(
    st.lists(
        st.tuples(st.integers(0, 5), st.integers(1, 5), st.integers(0, 5)), min_size=1, max_size=4
    )
)
def test_real_tokens_are_numbered_from_0_whatever_padding_C05(rows):
    length = max(map(sum, rows))
    # every row filled up on the right to one length
    mask = torch.tensor([padded(a, n, length - a - n) for a, n, _ in rows])
    ids = position_ids(mask)
    assert ids.shape == mask.shape and ids.dtype == torch.int64
    for (left, real, _), row in zip(rows, ids.tolist(), strict=True):
        assert row[left : left + real] == list(range(real))
        assert all(0 <= position < real for position in row)  # padding too stays inside the table


@given(st.lists(st.booleans(), min_size=1, max_size=10))
def test_position_is_the_number_of_real_tokens_before_C05(row):
    ids = position_ids(torch.tensor([row]))[0].tolist()
    for t, real in enumerate(row):
        if real:
            assert ids[t] == sum(row[:t])
        else:  # the nearest real token before, 0 if none
            before = [ids[s] for s in range(t) if row[s]]
            assert ids[t] == (before[-1] if before else 0)


@pytest.mark.parametrize(
    "mask, wanted",
    [([0, 0, 1, 1, 1], [0, 1, 2]), ([1, 1, 1, 1, 1], [0, 1, 2, 3, 4]), ([0, 0, 0, 0, 1], [0])],
)
def test_positions_of_three_masks_C05(mask, wanted):
    mask = torch.tensor([mask], dtype=torch.bool)
    assert position_ids(mask)[mask].tolist() == wanted


@pytest.mark.parametrize("dtype", [torch.int64, torch.float32])
def test_token_mask_of_another_dtype_is_refused(dtype):
    with pytest.raises(TypeError, match=f"token_mask is {dtype}; give bool, True = real token"):
        position_ids(torch.ones(1, 3, dtype=dtype))


# ---- sinusoidal table ---------------------------------------------------------------------------

SIZES = (st.integers(1, 40), st.integers(1, 20).map(lambda pairs: 2 * pairs))


@given(*SIZES)
def test_sinusoidal_table_is_the_formula_of_2017(length, width):
    table = sinusoidal_table(length, width)
    assert table.shape == (length, width) and table.dtype == torch.float32
    for t in range(length):
        for i in range(width // 2):
            angle = t / 10000 ** (2 * i / width)
            assert float(table[t, 2 * i]) == pytest.approx(math.sin(angle), abs=1e-6)
            assert float(table[t, 2 * i + 1]) == pytest.approx(math.cos(angle), abs=1e-6)


@given(*SIZES, st.integers(0, 10))
def test_sinusoidal_dot_products_depend_on_the_offset_only(length, width, shift):
    table = sinusoidal_table(length + shift, width).double()
    here, there = table[:length], table[shift:]
    assert torch.allclose(here @ here.T, there @ there.T, atol=1e-5)
    norms = table.norm(dim=1)
    assert torch.allclose(norms, torch.full_like(norms, math.sqrt(width / 2)), atol=1e-5)


def test_sinusoidal_numbers():
    table = sinusoidal_table(2, 4)
    assert table[0].tolist() == [0, 1, 0, 1]
    assert [round(x, 6) for x in table[1].tolist()] == [0.841471, 0.540302, 0.01, 0.99995]


def test_sinusoidal_table_is_precise_far_out():
    # an angle of thousands, computed in float32, would be off by 0.0001 and more
    angle = 100_000 / 10000 ** (2 / 6)
    got = sinusoidal_table(100_001, 6)[-1, 2:4].tolist()
    assert got == pytest.approx([math.sin(angle), math.cos(angle)], abs=1e-6)


@pytest.mark.parametrize("length, width", [(0, 4), (-1, 4), (3, 0), (3, 5), (3, 1)])
def test_impossible_tables_are_refused(length, width):
    with pytest.raises(ValueError, match=f"length={length}, width={width}; give .* an even width"):
        sinusoidal_table(length, width)


# ---- added to the scores ------------------------------------------------------------------------


def test_alibi_slopes_of_numbers_that_are_powers_of_two_and_are_not_C50():
    four = [0.25, 0.0625, 0.015625, 0.00390625]
    eight = [2.0**-h for h in range(1, 9)]
    assert alibi_slopes(4).tolist() == four
    assert alibi_slopes(8).tolist() == eight
    assert alibi_slopes(6).tolist() == pytest.approx([*four, 0.5, 0.125])
    between = [0.707107, 0.353553, 0.176777, 0.088388]
    assert alibi_slopes(12).tolist() == pytest.approx([*eight, *between], abs=1e-6)


@given(st.integers(1, 40))
def test_alibi_slopes_are_those_of_the_transformers_library_C50(heads):
    from transformers.models.bloom.modeling_bloom import build_alibi_tensor

    # their bias is slope * position, so a step of one position is the slope
    wanted = build_alibi_tensor(torch.ones(1, 2), heads, torch.float32)[:, 0].diff()
    slopes = alibi_slopes(heads)
    assert slopes.shape == (heads,) and len(slopes.unique()) == heads
    assert torch.allclose(slopes, wanted.flatten(), rtol=1e-5)


@given(st.integers(1, 6), st.integers(0, 6), st.integers(1, 5))
def test_biases_depend_on_how_far_back_a_key_lies(queries, more, heads):
    keys = queries + more
    relative = RelativeBias(4, heads)
    slopes = alibi_slopes(heads)
    falling, learned = alibi_bias(slopes, queries, keys), relative(queries, keys)
    assert falling.shape == learned.shape == (heads, queries, keys)
    for q in range(queries):
        for k in range(more + q + 1):
            back = more + q - k
            assert torch.allclose(falling[:, q, k], -slopes * back)
            assert torch.equal(learned[:, q, k], relative.table.weight[min(back, 3)])


@pytest.mark.parametrize("make", [alibi_slopes, lambda n: RelativeBias(n, 2)])
def test_impossible_biases_are_refused(make):
    with pytest.raises(ValueError, match="is 0; give a whole number of 1 or more"):
        make(0)
