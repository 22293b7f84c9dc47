"""Norms: equal to torch's, right at small numbers, and counted in float32."""

from functools import partial

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder.norms import NORMS, RMSNorm, layer_norm, make_norm, rms_norm
from tests.small_models import shaken, vectors

SHAPES = (st.integers(1, 3), st.integers(1, 4), st.integers(1, 8))
EPS = st.sampled_from([1e-6, 1e-5, 0.1])
ONE = torch.ones(2)


@given(*SHAPES, EPS)
def test_norms_equal_those_of_torch_C44(batch, length, width, eps):
    x = vectors(batch, length, width)
    weight, bias = vectors(width, seed=1), vectors(width, seed=2)
    wanted = nn.functional.layer_norm(x, [width], weight, bias, eps)
    assert torch.allclose(layer_norm(x, weight, bias, eps=eps), wanted, atol=1e-5)
    wanted = nn.functional.rms_norm(x, [width], weight, eps)
    assert torch.allclose(rms_norm(x, weight, eps=eps), wanted, atol=1e-5)


def test_numbers_that_show_where_eps_stands_C44():
    one = torch.ones(2)
    assert rms_norm(torch.tensor([3.0, 4.0]), one, eps=0).tolist() == pytest.approx(
        [0.848528, 1.131371], abs=1e-6
    )
    small = torch.full((2,), 1e-3)
    for eps, wanted in ((1e-5, 0.301511), (1e-6, 0.707107)):  # outside the root: 0.990099, 0.999
        assert rms_norm(small, one, eps=eps).tolist() == pytest.approx([wanted] * 2, abs=1e-6)
        assert RMSNorm(2, eps=eps)(small).tolist() == pytest.approx([wanted] * 2, abs=1e-6)


@given(*SHAPES, EPS)
def test_one_plus_learns_the_distance_from_1(batch, length, width, eps):
    x, norm = vectors(batch, length, width), RMSNorm(width, eps=eps, one_plus=True)
    assert torch.equal(norm(x), RMSNorm(width, eps=eps)(x))  # at the start they are one
    shaken(norm)
    assert torch.equal(norm(x), rms_norm(x, 1 + norm.weight, eps=eps))


@pytest.mark.parametrize("kind", NORMS)
def test_16_bit_numbers_are_squared_in_float32(kind):
    x = torch.tensor([[60000.0, -60000.0, 30000.0]], dtype=torch.float16)
    norm = shaken(make_norm(kind, 3))
    got = norm.half()(x)
    assert got.dtype == torch.float16 and got.isfinite().all()
    assert torch.allclose(got.float(), norm.float()(x.float()), rtol=1e-2)


def test_a_norm_is_made_by_name_with_its_eps():
    assert isinstance(make_norm("layer", 4, eps=0.5), nn.LayerNorm)
    assert all(make_norm(kind, 4, eps=0.5).eps == 0.5 for kind in NORMS)
    with pytest.raises(ValueError, match="norm is 'batch'; allowed are 'layer', 'rms', 'one_plus"):
        make_norm("batch", 4)
    with pytest.raises(ValueError, match="norm_eps is 0; give a finite number above 0"):
        make_norm("rms", 4, eps=0)


# ---- numbers whose squares are too large or too small --------------------------------------------

SIZES = [1e-42, 1e-30, 1e-25, 1e-20, 1e-16, 1e15, 1e16, 1e19, 1e25, 1e38, 3e38]


def test_huge_numbers_come_out_as_small_ones_do():
    """Table 1: [1e25, 1e25] gave [0, 0], since its squares overflow."""
    huge = torch.full((2,), 1e25)
    assert rms_norm(huge, torch.ones(2)).tolist() == [1, 1]
    for kind in ("rms", "one_plus_rms"):
        assert make_norm(kind, 2)(huge).tolist() == [1, 1]
    apart = torch.tensor([1e25, -1e25])
    for norm in (make_norm("layer", 2), partial(layer_norm, weight=ONE, bias=0 * ONE)):
        assert norm(apart).tolist() == [1, -1] and norm(huge).tolist() == [0, 0]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("eps", [1e-5, 0.1, 1e-40])
def test_numbers_of_every_size_are_normed_as_in_more_digits(size, eps):
    x = torch.tensor([[0.3, -0.7, 0.2, 0.1], [1.0, 1.0, 1.0, 1.0], [0.9, -1.0, 0.0, 0.5]]) * size
    ordinary = torch.tensor([[0.5, 2.0, -1.0, 0.0], [0.0, 0.0, 0.0, 0.0]])
    x = torch.cat([x, ordinary])
    weight, bias = torch.tensor([1.0, 2.0, -0.5, 3.0]), torch.tensor([0.0, 0.5, 1.0, -1.0])
    exact = x.double()
    wanted = exact / (exact.square().mean(-1, keepdim=True) + eps).sqrt() * weight
    found = rms_norm(x, weight, eps=eps)
    assert found.isfinite().all() and torch.allclose(found.double(), wanted, rtol=1e-5, atol=1e-6)
    centred = exact - exact.mean(-1, keepdim=True)
    wanted = centred / (centred.square().mean(-1, keepdim=True) + eps).sqrt() * weight + bias
    if eps > 1e-30:  # else equal numbers are apart by their last bit, and that is made large
        found = layer_norm(x, weight, bias, eps=eps)
        assert found.isfinite().all() and torch.allclose(found.double(), wanted, atol=1e-4)
        norm = make_norm("layer", 4, eps=eps)
        norm.weight.data, norm.bias.data = weight, bias
        assert torch.allclose(norm(x).double(), wanted, atol=1e-4)


@given(*SHAPES, EPS, st.sampled_from([1e-12, 1.0, 1e12]))
def test_ordinary_numbers_are_normed_to_the_last_bit_as_before(batch, length, width, eps, size):
    x = vectors(batch, length, width) * size
    weight = vectors(width, seed=1)
    mean_size = torch.linalg.vector_norm(x, dim=-1, keepdim=True) / width**0.5
    wanted = x / torch.hypot(mean_size, torch.full_like(mean_size, eps**0.5)) * weight
    assert torch.equal(rms_norm(x, weight, eps=eps), wanted)
    far = x.clone()
    far[0, 0] = 1e30  # a huge neighbour changes nothing
    assert torch.equal(rms_norm(far, weight, eps=eps)[0, 1:], wanted[0, 1:])
    ours, theirs = make_norm("layer", width, eps=eps), nn.LayerNorm(width, eps=eps)
    assert torch.equal(ours(x), theirs(x))


def test_gradients_go_through_huge_numbers():
    for kind in NORMS:
        x = torch.tensor([1e25, -2e25, 3e24], requires_grad=True)
        norm = make_norm(kind, 3)
        norm(x).square().sum().backward()
        assert x.grad.isfinite().all() and norm.weight.grad.isfinite().all()
        assert norm.weight.grad.abs().sum() > 0 or kind == "one_plus_rms"
