"""Blocks of weights: bit by bit as the gguf package has them, and found again from the weights."""

import gguf
import numpy as np
import pytest
import torch
from gguf import GGMLQuantizationType
from hypothesis import given
from hypothesis import strategies as st

from helpers.weights.blockwise import KINDS, quantize_4, quantize_4_any_size, row_bytes, unpack

# zero, the smallest and largest of float16, both signs, infinite and no number
EXTREMES = [0.0, -0.0, 6e-8, -6e-8, 6.1e-5, 65504.0, -65504.0, np.inf, -np.inf, np.nan]


def same_bits(a, b):
    """Equal to the last bit; of numbers that are none, only the places are compared."""
    nan = a.isnan()
    return torch.equal(nan, b.isnan()) and torch.equal(
        a.masked_fill(nan, 0).view(torch.int32), b.masked_fill(nan, 0).view(torch.int32)
    )


def library(kind, rows):
    """What the gguf package makes of rows of bytes."""
    with np.errstate(all="ignore"):
        weight = gguf.quants.dequantize(rows.numpy(), GGMLQuantizationType[kind])
    return torch.from_numpy(weight)


@st.composite
def rows_of(draw, kind):
    """Rows of bytes whose scales are drawn, the extreme ones among them."""
    count, blocks = draw(st.integers(1, 3)), draw(st.integers(1, 4))
    size = row_bytes(kind, 32 * blocks)
    seed = draw(st.integers(0, 2**32 - 1))
    rows = np.random.default_rng(seed).integers(0, 256, (count, size), dtype=np.uint8)
    numbers = st.one_of(st.sampled_from(EXTREMES), st.floats(width=16))
    head = 2 if kind == "Q4_1" else 1
    for row in rows.reshape(count, blocks, -1):
        for block in row:
            scale = np.array([draw(numbers) for _ in range(head)], dtype=np.float16)
            block[: 2 * head] = scale.view(np.uint8)
    return torch.from_numpy(rows)


@pytest.mark.parametrize("kind", KINDS)
@given(data=st.data())
def test_blocks_are_the_librarys_to_the_last_bit(kind, data):
    rows = data.draw(rows_of(kind))
    assert same_bits(unpack(kind, rows).weight(), library(kind, rows))


@pytest.mark.parametrize("kind", KINDS)
def test_every_byte_of_the_codes_counts_where_it_should(kind):
    head = 4 if kind == "Q4_1" else 2
    rows = torch.zeros(1, row_bytes(kind, 32), dtype=torch.uint8)
    rows[0, :2] = torch.tensor([1.0]).half().view(torch.uint8)
    for place in range(head, rows.shape[1]):
        one = rows.clone()
        one[0, place] = 1
        columns = unpack(kind, one).weight()[0].nonzero().flatten().tolist()
        assert columns == [place - head]


def float16_error(x):
    """How far a number can be from its float16: half of its last bit."""
    return (x.abs() * 2.0**-11).clamp(min=2.0**-25)


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([1e-4, 0.05, 3.0, 100.0]))
def test_blocks_made_from_weights_are_the_nearest_and_are_found_again(seed, size):
    generator = torch.Generator().manual_seed(seed)
    weight = torch.randn(3, 64, generator=generator) * size
    blocks = quantize_4(weight)
    # half a step, and what rounding to float16 takes off each of the steps and off the low end
    rounding = 15 * float16_error(blocks.scale) + float16_error(blocks.low)
    allowed = (blocks.scale / 2 + rounding).expand(blocks.code.shape).flatten(1)
    assert ((blocks.weight() - weight).abs() <= 1.001 * allowed).all()
    if size > 1e-3:  # below, float16 holds the scales with a few bits only
        again = quantize_4(blocks.weight())
        assert all(map(torch.equal, blocks, again))


@pytest.mark.parametrize("value", [0.0, 0.5, -2.0])
def test_a_block_of_equal_numbers_is_kept(value):
    weight = torch.full((2, 32), value)
    blocks = quantize_4(weight)
    assert torch.allclose(blocks.weight(), weight, rtol=1e-3)


@pytest.mark.parametrize("kind, columns", [("Q4_1", 31), ("Q8_0", 0), ("Q4_1", 33), ("Q5_K", 32)])
def test_what_are_no_blocks_is_refused(kind, columns):
    with pytest.raises(ValueError, match=r"no whole number of blocks|known are Q4_1, Q8_0"):
        row_bytes(kind, columns)
    if kind == "Q4_1":
        with pytest.raises(ValueError, match="no whole number of blocks"):
            quantize_4(torch.ones(1, columns))


# ---- numbers of any size -------------------------------------------------------------------------


@pytest.mark.parametrize("size", [1e-30, 1e-9, 1e-7, 1e-6, 1e6, 1e30])
def test_blocks_whose_levels_float16_cannot_hold_are_refused_or_counted_in_another_unit(size):
    weight = torch.linspace(-1, 1, 32)[None] * size
    with pytest.raises(ValueError, match=r"row 0, columns 0 to 31, .* whose levels float16 cannot"):
        quantize_4(weight)
    again = quantize_4_any_size(weight).weight()
    assert ((again - weight).abs() <= 1.01 * size / 15).all()


def test_equal_tiny_numbers_are_kept_or_refused():
    weight = torch.full((1, 32), 1e-7)
    with pytest.raises(ValueError, match="float16 cannot hold"):
        quantize_4(weight)
    assert torch.allclose(quantize_4_any_size(weight).weight(), weight, rtol=1e-3)


@given(seed=st.integers(0, 2**32 - 1), size=st.sampled_from([0.01, 0.05, 3.0, 1000.0]))
def test_ordinary_blocks_are_the_same_to_the_last_bit(seed, size):
    weight = torch.randn(3, 64, generator=torch.Generator().manual_seed(seed)) * size
    weight[0, :32] = 0
    assert all(map(torch.equal, quantize_4(weight), quantize_4_any_size(weight)))
