"""The feed-forward part: each position alone, and the same numbers as torch's layers."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.feed_forward import FeedForward

SIZES = (st.integers(1, 3), st.integers(1, 5), st.integers(1, 6), st.integers(1, 9))  # B T C hidden


def drawn(batch, length, width, hidden):
    torch.manual_seed(0)
    return FeedForward(width, hidden), torch.randn(batch, length, width)


@given(*SIZES)
def test_equals_linear_gelu_linear_of_torch(batch, length, width, hidden):
    part, x = drawn(batch, length, width, hidden)
    reference = nn.Sequential(nn.Linear(width, hidden), nn.GELU(), nn.Linear(hidden, width))
    names = {"0": "widen", "2": "narrow"}
    weights = {f"{theirs}.{kind}": getattr(getattr(part, ours), kind)
               for theirs, ours in names.items() for kind in ("weight", "bias")}  # fmt: skip
    reference.load_state_dict(weights, strict=True)
    assert part(x).shape == x.shape
    assert torch.allclose(part(x), reference(x), atol=1e-6)


@given(*SIZES, st.data())
def test_each_position_alone(batch, length, width, hidden, data):
    part, x = drawn(batch, length, width, hidden)
    t = data.draw(st.integers(0, length - 1))
    whole = part(x)
    assert torch.allclose(part(x[:, t : t + 1]), whole[:, t : t + 1], atol=1e-6)
    changed = x.clone()
    changed[:, t] += 1.0
    others = [s for s in range(length) if s != t]
    assert torch.equal(part(changed)[:, others], whole[:, others])
    order = torch.tensor(data.draw(st.permutations(range(length))))
    assert torch.allclose(part(x[:, order]), whole[:, order], atol=1e-6)


def test_gradient_reaches_no_other_position():
    part, x = drawn(1, 4, 3, 12)
    x.requires_grad_()
    (gradient,) = torch.autograd.grad(part(x)[0, 1].sum(), x)
    assert (gradient[0, 1] != 0).any()
    assert (gradient[0, [0, 2, 3]] == 0).all()


def test_the_gelu_is_the_exact_one():
    part = FeedForward(1, 1)
    for layer in (part.widen, part.narrow):
        nn.init.ones_(layer.weight)
        nn.init.zeros_(layer.bias)
    for x in (-2.0, -0.5, 0.0, 1.0, 3.0):
        exact = x * 0.5 * (1 + math.erf(x / math.sqrt(2)))
        assert part(torch.tensor([[[x]]])).item() == pytest.approx(exact, abs=1e-6)
    # the form with tanh would give 0.841192 at 1
    assert round(part(torch.ones(1, 1, 1)).item(), 6) == 0.841345


@pytest.mark.parametrize("width, hidden", [(32, 128), (8, 32)])
def test_parameter_count(width, hidden):
    part = FeedForward(width, hidden)
    count = sum(parameter.numel() for parameter in part.parameters())
    assert count == 2 * width * hidden + hidden + width
