"""Exercise 24b.2: steps that are lost."""

import torch
from torch import Tensor

from helpers.exercises import expect
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

unmoved = Exercise(
    "24b.2",
    "unmoved",
    title="Steps that are lost",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "A step is lost if the sum, rounded to bfloat16, is the weight again. Which steps should "
        "be counted at all?",
        "Weights 1, 1 and 0.01, steps 0.001, 0 and 0.001: the first is lost, the second was none, "
        "the third moves its weight. That is 1/2.",
        "w = weights.bfloat16(); s = steps.bfloat16(); lost = (w + s == w) & (s != 0); divide "
        "lost.sum() by (s != 0).sum(), and return 0.0 if that is 0.",
    ),
)


def share(lost: Tensor, counted: Tensor) -> float:
    """Return how many of the counted are lost; 0 if none is counted."""
    return float((lost & counted).sum() / counted.sum()) if counted.any() else 0.0


def rounded(x: Tensor) -> Tensor:
    """Return numbers as bfloat16 has them."""
    return x.bfloat16()


def right(weights: Tensor, steps: Tensor) -> float:
    """Return the share of steps that are lost."""
    w, s = rounded(weights), rounded(steps)
    return share(w + s == w, s != 0)


def of_all(weights: Tensor, steps: Tensor) -> float:
    """Return the lost steps over all weights."""
    w, s = rounded(weights), rounded(steps)
    return float(((w + s == w) & (s != 0)).double().mean())


def with_zeros(weights: Tensor, steps: Tensor) -> float:
    """Return the share of all weights that did not move."""
    return float((rounded(weights) + rounded(steps) == rounded(weights)).double().mean())


def in_float16(weights: Tensor, steps: Tensor) -> float:
    """Return what float16 would give."""
    w, s = weights.half(), steps.half()
    return share(w + s == w, s != 0)


SLIPS = {
    "steps of 0 are counted: they had nothing to lose": with_zeros,
    "it is a share of all weights, not of the steps": of_all,
    "it is the share of the steps that are not lost": lambda w, s: 1 - right(w, s),
    "the sum is not rounded to bfloat16: added in float32 it moves": lambda w, s: share(
        rounded(w).float() + rounded(s).float() == rounded(w).float(), rounded(s) != 0
    ),
    "the rounded sum is compared with the weight that was not rounded": lambda w, s: share(
        (w + s).bfloat16() == w, rounded(s) != 0
    ),
    "weights and steps are rounded before they are added, not only the sum": lambda w, s: share(
        (w.double() + s.double()).bfloat16() == rounded(w), rounded(s) != 0
    ),
    "that is float16, not bfloat16": in_float16,
    "how large a step must be depends on its weight": lambda w, s: share(
        rounded(s).abs() < 2.0**-8, rounded(s) != 0
    ),
    "it is a count, not a share": lambda w, s: of_all(w, s) * len(w),
}
ONES = torch.ones(6)
SMALL = torch.tensor([0.001, -0.001, 0.003, 0.01, -0.01, 0.0])
ODD = torch.tensor([1.003, 1.003, 1.0049, 1.0, 1.0078125, 3.3])
HALVES = torch.tensor([0.0005, 0.002, -0.001, 0.0039064, 0.00390625, 0.0])
PROBES = [(ONES, SMALL), (ONES, SMALL / 5), (ONES / 100, SMALL), (ODD, HALVES), (ODD, HALVES * 1.7)]


def is_nan(value) -> bool:
    """Return whether a value is NaN."""
    one = isinstance(value, float) or (isinstance(value, Tensor) and value.numel() == 1)
    return one and bool(value != value)


def compare(call, weights: Tensor, steps: Tensor, seen: str) -> None:
    """Compare, and name the known slips."""
    if not steps.any() and call.error(weights, steps) == "ZeroDivisionError":
        raise Broken("it divides by a count of 0", seen)
    got = call(weights, steps)
    if not steps.any() and is_nan(got) and not is_nan(call(ONES, SMALL)):
        raise Broken("where no step is left it divides by nothing", seen)
    got, wanted = expect.number(got, seen), right(weights, steps)
    if not expect.close(got, wanted, 1e-6):
        fault = slip_of(call, PROBES, SLIPS) or "it is another share"
        raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(wanted)}")


@unmoved.property("next to 1 small steps are lost, next to 0 they are not")
def small(call, draw):
    """Weights of 1 and of 0.01; steps up and down; weights of 0, which lose nothing."""
    compare(call, ONES, SMALL, "for weights of 1:")
    compare(call, ONES / 100, SMALL, "for weights of 0.01:")
    compare(call, torch.zeros(6), SMALL, "for weights of 0:")
    compare(call, -ONES, SMALL, "for weights of -1:")


@unmoved.property("weights and steps are rounded first, the sum after that")
def rounded_first(call, draw):
    """A weight that is no number of bfloat16, and steps of about half a spacing."""
    compare(call, ODD, HALVES, "for weights that bfloat16 does not have:")
    compare(call, torch.tensor([1.0, 1.0]), torch.tensor([1e-45, 1.0]), "for the tiniest step:")


@unmoved.property("it finds the share for any weights and steps")
def drawn(call, draw):
    """Weights and steps over many sizes; some steps are 0."""
    for count in (1, 40, 400):
        weights = torch.randn(count, generator=draw) * 10 ** torch.randn(count, generator=draw)
        steps = 0.003 * torch.randn(count, generator=draw)
        steps = steps * (torch.rand(count, generator=draw) < 0.7)
        if count == 1:
            steps = torch.tensor([0.003])
        compare(call, weights, steps, f"for {count} weights:")


@unmoved.property("where no step was made, none is lost")
def none(call, draw):
    """Steps of 0 only."""
    compare(call, torch.randn(4, generator=draw), torch.zeros(4), "for steps of 0:")
