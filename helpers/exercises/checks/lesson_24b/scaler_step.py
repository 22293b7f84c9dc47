"""Exercise 24b.3: one step of a loss scaler."""

import math

import torch
from torch import Tensor

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

scaler_step = Exercise(
    "24b.3",
    "scaler_step",
    title="A factor that finds its size",
    minutes=12,
    level="medium",
    points=3,
    hints=(
        "Two things can happen: every number of every gradient is finite, or not. What becomes of "
        "the factor, of the count, and of the gradients in each case?",
        "Factor 8, count 1, gradients [16], twice as large after 2: [16, 0, [2]]. The gradient "
        "was made with the factor 8, so it is divided by 8. With [inf]: [4, 0, None].",
        "finite = all(g.isfinite().all() for g in gradients). If not: [max(1, scale / 2), 0, "
        "None]. Else divide by scale; good + 1; if that is grow_after: 2 * scale and 0.",
    ),
)
NAN, INF = math.nan, math.inf


def what_it_misses(call) -> str:
    """Return in words which gradients that are not finite an answer hands on."""
    inf, nan, one = (torch.tensor([x], dtype=torch.float64) for x in (INF, NAN, 1.0))

    def left_out(*gradients: Tensor) -> bool:
        return call(8.0, 0, list(gradients), 100)[2] is None

    if not left_out(inf):
        return "gradients that are not finite are handed on"
    if not left_out(nan):
        return "it looks for infinity, and nan is none"
    if not left_out(one, inf):
        return "it looks at the first gradient only"
    return "some number that is not finite gets through"


def compare(call, scale, good, gradients: list[Tensor], grow_after, seen: str) -> None:
    """Compare the three results, and name the known slips."""
    before = [g.clone() for g in gradients]
    got = expect.items(call(scale, good, gradients, grow_after), 3, seen)
    finite = all(bool(g.isfinite().all()) for g in before)
    new_scale = expect.number(got[0], f"{seen} the factor")
    new_good = expect.whole(got[1], f"{seen} the count")
    if finite:
        grows = good + 1 == grow_after
        wanted, count = (2 * scale, 0) if grows else (scale, good + 1)
        known = [
            (scale / 2, "it is halved, and a step whose gradients are all finite is a good one"),
            (scale, "after so many good steps the factor is doubled"),
            (2 * scale, "the factor is doubled too early"),
        ]
        counts = [
            (good + 1, "the count begins again when the factor is doubled"),
            (0, "a good step is not counted"),
            (good, "this good step is not counted"),
        ]
    else:
        wanted, count = max(1.0, scale / 2), 0
        known = [
            (scale / 2, "the factor falls below 1"),
            (scale, "with a number that is not finite the factor is halved"),
            (2 * scale, "with a number that is not finite the factor is doubled"),
        ]
        counts = [
            (good, "the good steps are those in a row: the count begins again"),
            (good + 1, "a step that is left out is counted as a good one"),
        ]
    if not finite and got[2] is not None:
        raise Broken(what_it_misses(call), seen)
    if finite and got[2] is None:
        raise Broken("a good step is left out", seen)
    expect.equal(new_scale, wanted, f"{seen} the factor:", "the factor is wrong", known, 1e-12)
    expect.equal(new_good, count, f"{seen} the count:", "the count is wrong", counts)
    if finite:
        compare_gradients(got[2], before, scale, new_scale, seen)


def compare_gradients(got, before: list[Tensor], scale, new_scale, seen: str) -> None:
    """Compare the gradients that a step is made with."""
    for place, (one, g) in enumerate(
        zip(expect.items(got, len(before), seen), before, strict=True)
    ):
        where = f"{seen} gradient {place}"
        one = expect.tensor(one, tuple(g.shape), "float", where)
        size = (g / scale).abs().max()  # tiny and huge ones are compared alike
        known = [
            (g / size, "the gradients are not divided by the factor"),
            (g * scale / size, "the gradients are multiplied by the factor, not divided"),
            (g / new_scale / size, "they are divided by the new factor, not by that they had"),
        ]
        fault = "the gradient is wrong"
        expect.equal(one / size, g / scale / size, f"{where}:", fault, known, 1e-9)


def some(draw: torch.Generator, size: float = 1.0) -> list[Tensor]:
    """Return gradients of three shapes."""
    shapes = ((3,), (2, 2), ())
    return [size * (torch.rand(s, generator=draw, dtype=torch.float64) + 0.5) for s in shapes]


@scaler_step.property("a good step is counted, and its gradients are divided")
def good_step(call, draw):
    """Factors large and small, gradients tiny and huge."""
    for scale, size in ((65536.0, 100.0), (1.0, 0.01), (8.0, 1e-12), (2.0**24, 1e30)):
        compare(call, scale, 3, some(draw, size), 2000, f"for the factor {scale:g}:")


@scaler_step.property("after so many good steps in a row the factor is doubled")
def doubled(call, draw):
    """The last step before, the step itself, and a limit of 1."""
    compare(call, 8.0, 4, some(draw), 6, "for 4 good steps of 6:")
    compare(call, 8.0, 5, some(draw), 6, "for 5 good steps of 6:")
    compare(call, 8.0, 0, some(draw), 1, "for grow_after = 1:")


@scaler_step.property("one number that is not finite, anywhere, and the step is left out")
def left_out(call, draw):
    """inf, -inf and nan, in the first, middle and last gradient, and among huge ones."""
    for bad in (INF, -INF, NAN):
        for place in range(3):
            gradients = some(draw)
            gradients[place].view(-1)[-1] = bad
            compare(call, 32.0, 7, gradients, 8, f"for {bad} in gradient {place}:")
    both = [torch.tensor([INF, -INF], dtype=torch.float64), torch.ones(2, dtype=torch.float64)]
    compare(call, 32.0, 7, both, 100, "for inf and -inf, whose sum is nan:")
    huge = [torch.full((4,), 1.5e308, dtype=torch.float64)]
    compare(call, 2.0, 0, huge, 100, "for huge numbers, which are finite:")


@scaler_step.property("the factor does not fall below 1")
def least(call, draw):
    """Factors of 1, 1.5 and 2."""
    for scale in (1.0, 1.5, 2.0):
        gradients = [torch.tensor([NAN], dtype=torch.float64)]
        compare(call, scale, 5, gradients, 2000, f"for the factor {scale:g} and nan:")
