"""Rotary positions: two layouts and the way between, scores by offset, scaling, float32 angles."""

import math
from dataclasses import replace

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers.decoder.rotary import (
    LAYOUTS,
    Rotary,
    frequencies,
    lane_order,
    rotate,
    rotate_in_place,
    rotation,
)
from tests.small_models import vectors

STRETCHED = (
    Rotary(scaling="linear", factor=4.0),
    Rotary(scaling="llama3", factor=8.0, original_context=64),
    Rotary(scaling="yarn", factor=4.0, original_context=64, high_turns=32.0),
)


@st.composite
def rotaries(draw):
    """A Rotary and a head width that fits it."""
    width = 2 * draw(st.integers(1, 5))
    head_width = width + draw(st.integers(0, 3))
    chosen = draw(st.sampled_from((Rotary(), Rotary(base=50.0), *STRETCHED)))
    whole = head_width == width and draw(st.booleans())
    layout = draw(st.sampled_from(LAYOUTS))
    return replace(chosen, layout=layout, width=None if whole else width), head_width


def test_both_layouts_and_the_order_between_them_C42():
    x = torch.tensor([1.0, 2.0, 3.0, 4.0]).view(1, 1, 1, 4)
    at_1 = torch.tensor([[1]])

    def turned(x, layout):
        return rotate(x, rotation(at_1, Rotary(layout=layout), 4))

    pairs = [-1.142640, 1.922076, 2.959851, 4.029800]
    halves = [-1.984111, 1.959901, 2.462378, 4.019800]
    assert turned(x, "pairs").flatten().tolist() == pytest.approx(pairs, abs=1e-6)
    assert turned(x, "halves").flatten().tolist() == pytest.approx(halves, abs=1e-6)
    order = lane_order("halves", 4)
    assert order.tolist() == [0, 2, 1, 3]
    assert torch.allclose(turned(x[..., order], "halves"), turned(x, "pairs")[..., order])


@given(rotaries(), st.integers(1, 4), st.integers(0, 1000))
def test_the_other_layout_turns_reordered_lanes_alike_C42(drawn, length, start):
    rotary, width = drawn
    other = LAYOUTS[1 - LAYOUTS.index(rotary.layout)]
    order = lane_order(other, width, rotary.width)
    back = lane_order(rotary.layout, width, rotary.width)
    assert torch.equal(order[back], torch.arange(width))
    x, at = vectors(2, 3, length, width), start + torch.arange(length)[None]
    got = rotate(x[..., order], rotation(at, replace(rotary, layout=other), width))
    assert torch.allclose(got, rotate(x, rotation(at, rotary, width))[..., order], atol=1e-5)


@given(rotaries(), st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_scores_depend_on_the_offset_only(drawn, m, n, shift):
    rotary, width = drawn
    query, key = vectors(1, 1, 1, width).double(), vectors(1, 1, 1, width, seed=1).double()

    def score(at_query, at_key):
        turned = [
            rotate(x, rotation(torch.tensor([[at]]), rotary, width))
            for x, at in ((query, at_query), (key, at_key))
        ]
        return float((turned[0] * turned[1]).sum())

    assert score(m + shift, n + shift) == pytest.approx(score(m, n), abs=2e-3)


@given(rotaries())
def test_position_0_and_lanes_beyond_the_width_stay(drawn):
    rotary, width = replace(drawn[0], magnitude=1.0), drawn[1]
    x = vectors(1, 2, 3, width)
    at = torch.tensor([[0, 5, 9]])
    got = rotate(x, rotation(at, rotary, width))
    assert torch.equal(got[:, :, 0], x[:, :, 0])
    kept = rotary.width or width
    assert torch.equal(got[..., kept:], x[..., kept:])
    assert torch.allclose(got.norm(dim=-1), x.norm(dim=-1), atol=1e-5)  # only turned


@given(rotaries(), st.integers(0, 50), st.sampled_from([torch.float32, torch.bfloat16]))
def test_turned_in_place_is_turned_and_touches_nothing_beside(drawn, start, dtype):
    rotary, head_width = drawn
    room = vectors(2, 5, 3, head_width).to(dtype)
    turn = rotation(torch.arange(start, start + 3)[None], rotary, head_width)
    wanted = room.clone()
    wanted[:, 1:4] = rotate(room[:, 1:4], turn)
    rotate_in_place(room[:, 1:4], turn)
    assert torch.equal(room, wanted)


def test_speeds_that_are_held_give_the_same_angles():
    rotary, at = Rotary(base=50.0), torch.arange(4)[None]
    held = rotation(at, rotary, 6, speed=frequencies(rotary, 6))
    assert torch.equal(held.cos, rotation(at, rotary, 6).cos)
    assert torch.equal(rotation(at, rotary, 6, speed=torch.zeros(3)).cos, torch.ones(1, 1, 4, 3))


def test_angles_are_counted_in_float32_whatever_the_vectors_are():
    x = torch.ones(1, 1, 2, 4, dtype=torch.bfloat16)
    got = rotate(x, rotation(torch.tensor([[2048, 2049]]), Rotary(), 4))
    assert got.dtype == torch.bfloat16
    assert not torch.equal(got[:, :, 0], got[:, :, 1])  # 2049 as bfloat16 is 2048
    assert float(got[0, 0, 1, 0]) == pytest.approx(math.cos(2049) - math.sin(2049), abs=0.01)


@pytest.mark.parametrize("rotary", STRETCHED, ids=lambda rotary: rotary.scaling)
@pytest.mark.parametrize("width", [8, 64])
def test_stretched_frequencies_are_those_of_the_transformers_library(rotary, width):
    from transformers import LlamaConfig
    from transformers.modeling_rope_utils import ROPE_INIT_FUNCTIONS

    theirs = {"rope_type": rotary.scaling, "rope_theta": rotary.base, "factor": rotary.factor}
    if rotary.scaling != "linear":
        theirs["original_max_position_embeddings"] = rotary.original_context
    if rotary.scaling == "llama3":
        theirs |= {"low_freq_factor": rotary.low_turns, "high_freq_factor": rotary.high_turns}
    config = LlamaConfig(
        hidden_size=width, num_attention_heads=1, rope_parameters=theirs,
        max_position_embeddings=int(64 * rotary.factor),
    )  # fmt: skip
    wanted, magnitude = ROPE_INIT_FUNCTIONS[rotary.scaling](config)
    assert torch.allclose(frequencies(rotary, width), wanted, rtol=1e-5)
    at_0 = rotation(torch.tensor([[0]]), rotary, width)
    assert float(at_0.cos[0, 0, 0, 0]) == pytest.approx(magnitude, abs=1e-6)


def test_scaling_slows_the_slow_pairs_and_leaves_the_fast_ones():
    plain = frequencies(Rotary(), 64)
    for rotary in STRETCHED[1:]:
        share = frequencies(rotary, 64) / plain
        assert share[0] == 1 and float(share[-1]) == pytest.approx(1 / rotary.factor)
        assert (share[1:] <= share[:-1] + 1e-6).all()
    assert torch.allclose(frequencies(STRETCHED[0], 64), plain / 4)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"base": 0}, "rotary base is 0; give a finite number above 0"),
        ({"base": 1}, "rotary base is 1; then all pairs turn alike"),
        ({"width": 3}, "rotary width is 3; lanes are turned in pairs"),
        ({"layout": "thirds"}, "rotary layout is 'thirds'; allowed are 'halves', 'pairs'"),
        ({"scaling": "ntk"}, "rotary scaling is 'ntk'; allowed are 'none', 'linear'"),
        ({"factor": 2.0}, r"rotary factor is 2\.0, but scaling is 'none'"),
        ({"scaling": "yarn"}, "rotary original_context for 'yarn' is None"),
        (
            {"scaling": "llama3", "original_context": 8, "low_turns": 4.0},
            "low_turns=4.0 is not under high_turns=4.0",
        ),
        ({"magnitude": -1.0}, r"rotary magnitude is -1\.0"),
    ],
)
def test_impossible_rotations_are_refused_by_name(options, message):
    with pytest.raises(ValueError, match=message):
        Rotary(**options)


@pytest.mark.parametrize("width, turned", [(4, 3), (4, 6), (4, 0)])
def test_impossible_lane_orders_are_refused(width, turned):
    with pytest.raises(ValueError, match=f"width R={turned}; give an even number from 2"):
        lane_order("pairs", width, turned)
