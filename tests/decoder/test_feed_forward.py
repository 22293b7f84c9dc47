"""The feed-forward part: each position alone, and the same numbers as torch's layers."""

import math

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import nn

from helpers.decoder.feed_forward import KINDS, FeedForward

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


# ---- other kinds --------------------------------------------------------------------------------


def test_both_forms_of_gelu_C47():
    x = torch.tensor([1.0, 2.0, 3.0])
    exact, tanh = (KINDS[kind][0] for kind in ("gelu", "gelu_tanh"))
    assert exact(x).tolist() == pytest.approx([0.841345, 1.954500, 2.995950], abs=1e-6)
    assert tanh(x).tolist() == pytest.approx([0.841192, 1.954598, 2.996363], abs=1e-6)
    grid = torch.linspace(-6, 6, 12001, dtype=torch.float64)
    gap = (exact(grid) - tanh(grid)).abs()
    assert float(gap.max()) == pytest.approx(4.73e-4, abs=1e-6)
    assert abs(float(grid[gap.argmax()])) == pytest.approx(2.699, abs=1e-3)


BENDS = {
    "gelu": lambda x: x * 0.5 * (1 + torch.erf(x / math.sqrt(2))),
    "tanh": lambda x: x * 0.5 * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: x * (x > 0),
    "silu": lambda x: x / (1 + (-x).exp()),
}
WRITTEN_OUT = {"gelu": "gelu", "gelu_tanh": "tanh", "relu": "relu", "geglu": "gelu",
               "geglu_tanh": "tanh", "swiglu": "silu"}  # fmt: skip


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kind", KINDS)
@given(st.integers(1, 4), st.integers(1, 5), st.integers(1, 6))
def test_every_kind_is_what_its_formula_says_C47(kind, bias, length, width, hidden):
    torch.manual_seed(0)
    part = FeedForward(width, hidden, kind, bias=bias).double()
    x = torch.randn(2, length, width, dtype=torch.float64)
    bend = BENDS[WRITTEN_OUT[kind]]
    wide = part.widen(x)
    wide = bend(part.gate(x)) * wide if "glu" in kind else bend(wide)
    assert torch.allclose(part(x), part.narrow(wide), atol=1e-9)
    matrices = 3 if "glu" in kind else 2
    count = sum(parameter.numel() for parameter in part.parameters())
    assert count == matrices * width * hidden + bias * ((matrices - 1) * hidden + width)


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(ValueError, match="feed_forward is 'mish'; allowed are 'gelu', 'gelu_tanh'"):
        FeedForward(4, 8, "mish")
