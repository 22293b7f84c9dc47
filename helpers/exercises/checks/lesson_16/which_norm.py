"""Exercise 16.4: which norm was it?"""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_16.shared import normal, rms_normed
from helpers.exercises.exercise import Broken, Exercise

which_norm = Exercise(
    "16.4",
    "which_norm",
    title="Which norm was it?",
    minutes=12,
    level="hard",
    points=3,
    hints=(
        "Three of the four answers are formulas. What would each of them give for this x and this "
        "weight?",
        "Every position has to agree, not only the first: somewhere a norm over the text may agree "
        "by chance. And rounding must not turn a right norm into other.",
        "Compute the three candidates, compare each with y by torch.allclose(..., atol=1e-4), and "
        "return the name of the one that fits, or other.",
    ),
)
NAMES = ("layer", "rms", "one_plus_rms", "other")


def layer_normed(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return LayerNorm without a shift, in float64."""
    exact = x.double()
    return rms_normed(exact - exact.mean(-1, keepdim=True), weight)


def made(x: torch.Tensor, weight: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return what each of the three norms makes of x."""
    return {
        "layer": layer_normed(x, weight),
        "rms": rms_normed(x, weight),
        "one_plus_rms": rms_normed(x, 1 + weight.double()),
    }


def ask(call, x, weight, y, truth: str, seen: str, fault: str) -> None:
    """Raise Broken unless the answer names the norm."""
    found = expect.text(call(x, weight, y.float()), seen)
    if found not in NAMES:
        raise Broken("that is none of the four names", f"{seen} it gives {found[:40]!r}")
    if found != truth:
        raise Broken(fault, f"{seen} it gives {found!r}, right is {truth!r}")


FAULTS = {
    "layer": "a LayerNorm is not recognised",
    "rms": "an RMSNorm is not recognised",
    "one_plus_rms": "an RMSNorm by 1 + weight is not recognised",
    "other": "something else is taken for a norm",
}


def drawn(draw: torch.Generator, T: int, C: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return x [T, C] with a mean of its own, and a weight [C] as a trained model has it."""
    return normal(draw, T, C) + 1, normal(draw, C) / 2 + 1


def ask_plain(call, x, weight) -> None:
    """The same x without any norm, first: who never says other learns that, and only that."""
    y = x.double() * weight.double()
    ask(call, x, weight, y, "other", "for no norm at all", FAULTS["other"])


@which_norm.property("it knows the three norms")
def knows_three(call, draw):
    """Weights around 1, as in a trained model."""
    for T, C in ((3, 4), (1, 6), (5, 8)):
        x, weight = drawn(draw, T, C)
        for name, y in made(x, weight).items():
            ask(call, x, weight, y, name, f"for T = {T}, C = {C}", FAULTS[name])


@which_norm.property("what is none of the three is other")
def none_of_them(call, draw):
    """No norm, and a norm over the text."""
    x, weight = drawn(draw, 5, 6)
    ask_plain(call, x, weight)
    over = rms_normed(x.T, torch.ones(5)).T * weight.double()
    ask(call, x, weight, over, "other", "for a norm over the text", FAULTS["other"])


@which_norm.property("it asks every position, not only some")
def every_position(call, draw):
    """One position is right and the others are not."""
    x, weight = drawn(draw, 4, 6)
    ask_plain(call, x, weight)
    for name, y in made(x, weight).items():
        for kept in (0, 3):
            mixed = x.double().clone()
            mixed[kept] = y[kept]
            seen = f"for T = 4, where only position {kept} went through {name!r},"
            fault = "one position that agrees is taken for all of them"
            ask(call, x, weight, mixed, "other", seen, fault)


@which_norm.property("the size counts: another weight or another divisor is another norm")
def size_counts(call, draw):
    """Right but for the weight, or for what is divided by."""
    x, weight = drawn(draw, 3, 6)
    ask_plain(call, x, weight)
    cases = {
        f"{name!r} with another weight": y for name, y in made(x, 3 * weight.flip(0) + 2).items()
    }
    right = made(x, weight)
    cases["a LayerNorm that divides by C - 1"] = right["layer"] * (5 / 6) ** 0.5
    cases["a vector that is divided by its length"] = right["rms"] / 6**0.5
    for seen, y in cases.items():
        fault = "the pattern fits, the size does not, and it does not notice"
        ask(call, x, weight, y, "other", f"for {seen}", fault)


@which_norm.property("rounding does not matter")
def rounding(call, draw):
    """The last digits of a float32, as another machine would give them."""
    x, weight = drawn(draw, 3, 6)
    for name, y in made(x, weight).items():
        ask(call, x, weight, y, name, "for T = 3, C = 6", FAULTS[name])
        fault = "the last digits decide: compare within a tolerance"
        ask(call, x, weight, y * (1 + 1e-6) + 2e-7, name, f"for {name!r}, a millionth off", fault)
