"""Exercise 16.4: which norm was it?"""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_16.shared import normal, rms_normed
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

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


def gap(x: torch.Tensor, weight: torch.Tensor, y: torch.Tensor) -> float:
    """Return by how much y differs from the nearest norm that did not make it."""
    gaps = sorted(float((made_y - y).abs().max()) for made_y in made(x, weight).values())
    return gaps[1] if gaps[0] == 0 else gaps[0]


def fits_one(x: torch.Tensor, weight: torch.Tensor, least: float = 0.01) -> bool:
    """Return whether the three norms differ by more than is allowed, and none is beyond 10."""
    ways = made(x, weight)
    small = all(float(y.abs().max()) < 9 for y in ways.values())
    return small and all(gap(x, weight, y) > least for y in ways.values())


def usual(x: torch.Tensor, weight: torch.Tensor) -> bool:
    """Return whether the three norms differ, and the 1e-5 counts for nothing."""
    more = made(1e3 * x, weight)
    counts = max(float((y - more[name]).abs().max()) for name, y in made(x, weight).items())
    return fits_one(x, weight) and counts < 8e-5


def weight_of(draw: torch.Generator, C: int) -> torch.Tensor:
    """Return a weight [C] as a trained model has it."""
    return normal(draw, C) / 2 + 1


def drawn(
    draw: torch.Generator, T: int, C: int, size: float = 1.0
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return x [T, C] with a mean of its own, and a weight [C] as a trained model has it."""
    while True:
        x, weight = size * (normal(draw, T, C) + 1), weight_of(draw, C)
        if usual(x, weight) if size >= 1 else fits_one(x, weight):
            return x, weight


def ask_plain(call, x, weight) -> None:
    """The same x without any norm, first: who never says other learns that, and only that."""
    y = x.double() * weight.double()
    ask(call, x, weight, y, "other", "for no norm at all", FAULTS["other"])


ZERO = "a weight of 0 spoils it: nothing is divided by the weight"
ONE = "one position that agrees is taken for all of them"
MOST = "most positions that agree are taken for all of them"
NEAR = "what is nearly a norm is taken for one: differences of more than 0.001 count"


@which_norm.property("it knows the three norms")
def knows_three(call, draw):
    """Weights around 1, as in a trained model, then weights near 0 and with an exact 0."""
    for T, C in ((3, 4), (1, 6), (5, 8), (2, 2)):
        x, weight = drawn(draw, T, C)
        for name, y in made(x, weight).items():
            ask(call, x, weight, y, name, f"for T = {T}, C = {C}", FAULTS[name])
    small, zeros = 0.1 * weight_of(draw, 6), torch.tensor([1.0, 0.0, 1.5, 0.5, 0.0, -1.0])
    for weight, fault in ((small, ""), (zeros, ZERO)):
        x = normal(draw, 4, 6) + 1
        while not usual(x, weight):
            x = normal(draw, 4, 6) + 1
        for name, y in made(x, weight).items():
            seen = f"for T = 4, C = 6 and weight {show(weight)}"
            ask(call, x, weight, y, name, seen, fault or FAULTS[name])


@which_norm.property("it knows them for tiny and for long vectors")
def knows_sizes(call, draw):
    """Where eps counts as much as the vector, and where it counts for nothing."""
    for size in (1e-3, 3e-3, 1e3):
        x, weight = drawn(draw, 3, 6, size)
        for name, y in made(x, weight).items():
            one = x / size
            if usual(one, weight):
                right = made(one, weight)[name]
                ask(call, one, weight, right, name, "for T = 3, C = 6", FAULTS[name])
            seen = f"for T = 3, C = 6 and numbers of about {size:g}"
            ask(call, x, weight, y, name, seen, "with a vector of another size it errs: mind eps")
    x, weight = drawn(draw, 3, 6, 1e-2)
    exact = x.double()
    ask_plain(call, x, weight)
    outside = exact / (exact.pow(2).mean(-1, keepdim=True).sqrt() + 1e-5) * weight.double()
    ask(call, x, weight, outside, "other", "for an RMSNorm with eps outside the root", NEAR)


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
            ask(call, x, weight, mixed, "other", seen, ONE)


@which_norm.property("one position that differs is enough")
def one_position(call, draw):
    """All positions but one agree, among four and among three hundred, by little and by much."""
    for T, by in ((4, 0.5), (4, 0.02), (300, 0.02)):
        x, weight = drawn(draw, T, 6)
        if T == 4:
            ask_plain(call, x, weight)
        for name, y in made(x, weight).items():
            for kept in (0, T - 1):
                alone = x.double().clone()
                alone[kept] = y[kept]
                seen = f"for T = {T}, where only position {kept} went through {name!r},"
                ask(call, x, weight, alone, "other", seen, ONE)
            for at in (0, T - 1, int(torch.randint(0, T, (), generator=draw))):
                mixed = y.clone()
                mixed[at, int(y[at].abs().argmax())] += by
                seen = f"for T = {T}, where all but position {at} went through {name!r},"
                ask(call, x, weight, mixed, "other", seen, MOST)


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
    for name, y in right.items():
        largest = float(y.abs().max())
        for factor in (1 + 0.003 / largest, 1 - 0.006 / largest, 1.02):
            ask(call, x, weight, y * factor, "other", f"for {name!r} times {factor:.4f}", NEAR)


@which_norm.property("rounding does not matter")
def rounding(call, draw):
    """The last digits of a float32, as another machine would give them."""
    x, weight = drawn(draw, 3, 6)
    for name, y in made(x, weight).items():
        ask(call, x, weight, y, name, "for T = 3, C = 6", FAULTS[name])
        fault = "the last digits decide: compare within a tolerance"
        ask(call, x, weight, y * (1 + 1e-6) + 2e-7, name, f"for {name!r}, a millionth off", fault)
        noise = 8e-6 * (2 * torch.rand(y.shape, generator=draw) - 1)
        ask(call, x, weight, y + noise, name, f"for {name!r}, up to 0.000008 off", fault)
