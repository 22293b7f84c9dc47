"""The length of a gradient is cut, its direction kept."""

import math

import pytest
import torch

from helpers.training.clipping import clip, gradient_norm, norm_of


def weights_with(*gradients):
    weights = [torch.nn.Parameter(torch.zeros(len(g))) for g in gradients]
    for weight, gradient in zip(weights, gradients, strict=True):
        weight.grad = torch.tensor(gradient)
    return weights


def test_all_gradients_are_one_vector_and_shrink_by_one_factor():
    weights = weights_with([3.0, 0.0], [0.0, 0.5])
    assert clip(weights, 1.0) == pytest.approx(math.hypot(3, 0.5))
    assert weights[0].grad.tolist() == pytest.approx([0.98639, 0], abs=1e-5)
    assert weights[1].grad.tolist() == pytest.approx([0, 0.16440], abs=1e-5)
    assert gradient_norm(weights) == pytest.approx(1)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("limit", [0.1, 1.0, 100.0])
def test_it_is_torchs(seed, limit):
    draw = torch.Generator().manual_seed(seed)
    drawn = [(5 * torch.randn(n, generator=draw)).tolist() for n in (1, 3, 40)]
    ours, theirs = weights_with(*drawn), weights_with(*drawn)
    assert clip(ours, limit) == pytest.approx(
        torch.nn.utils.clip_grad_norm_(theirs, limit).item(), rel=1e-6
    )
    for a, b in zip(ours, theirs, strict=True):  # torch adds 1e-6 to the norm
        assert torch.allclose(a.grad, b.grad, rtol=1e-5, atol=0)


@pytest.mark.parametrize("gradient", [[0.6, 0.8], [0.0, 0.0], [1e-8, 0.0]])
def test_what_is_short_enough_keeps_every_bit(gradient):
    weights = weights_with(gradient)
    clip(weights, 1.0000001)
    assert torch.equal(weights[0].grad, torch.tensor(gradient))


@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_what_is_not_finite_is_seen_and_not_hidden(bad):
    weights = weights_with([bad, 1.0])
    assert not math.isfinite(clip(weights, 1.0))
    assert weights[0].grad[1] == 1


def test_before_unscaling_the_gradient_all_but_vanishes():
    scaled = weights_with([3.0 * 2**16, 0.0])
    clip(scaled, 1.0)
    assert gradient_norm(scaled) / 2**16 == pytest.approx(1.5e-5, rel=0.02)


def test_weights_without_gradients_count_as_zeros():
    assert norm_of([]) == 0 and gradient_norm([torch.nn.Parameter(torch.ones(3))]) == 0


@pytest.mark.parametrize("limit", [0.0, -1.0, math.nan, math.inf])
def test_an_impossible_limit_is_refused(limit):
    with pytest.raises(ValueError, match="give a finite number above 0"):
        clip(weights_with([1.0]), limit)
