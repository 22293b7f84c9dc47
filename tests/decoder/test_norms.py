"""Norms: equal to torch's, right at small numbers, and counted in float32."""

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder.norms import NORMS, RMSNorm, layer_norm, make_norm, rms_norm
from tests.small_models import shaken, vectors

SHAPES = (st.integers(1, 3), st.integers(1, 4), st.integers(1, 8))
EPS = st.sampled_from([1e-6, 1e-5, 0.1])


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
