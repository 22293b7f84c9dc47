"""Exercise 05.3: layerNorm by hand."""

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.checks.lesson_05.shared import normal
from helpers.exercises.exercise import Broken, Exercise

layer_norm = Exercise(
    "05.3",
    "layer_norm",
    title="LayerNorm by hand",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "One position, one vector, one mean, one variance. Over which axis are they taken, and "
        "how do they keep a place to be subtracted from [B, T, C]?",
        "With scale 1 and shift 0 every vector comes out with mean 0, and with standard deviation "
        "very nearly 1: divide by C, not by C - 1. A constant vector gives zeros.",
        "Mean and variance over the last axis, with keepdim=True. The variance is the mean of the "
        "squared differences. Add 1e-5 to it before the root, then times scale, plus shift.",
    ),
)


def norm_input(draw: torch.Generator, B: int, T: int, C: int) -> list[torch.Tensor]:
    """Return x [B, T, C] with a mean far from 0, scale [C] and shift [C]."""
    return [normal(draw, B, T, C) + 2, normal(draw, C) + 1.5, normal(draw, C)]


FOR_ALL = "one variance is taken for the whole text: each position has its own"


def one_variance(x: torch.Tensor, scale: torch.Tensor, shift: torch.Tensor) -> torch.Tensor:
    """Return what comes out with one variance for all positions of a text."""
    centred = x.double() - x.double().mean(-1, keepdim=True)
    variance = centred.pow(2).mean((-2, -1), keepdim=True)
    return centred / (variance + 1e-5).sqrt() * scale.double() + shift.double()


@layer_norm.property("it keeps the shape [B, T, C]")
def norm_form(call, draw):
    """Also for one position alone."""
    for shape in ((2, 3, 4), (1, 1, 5)):
        expect.tensor(call(*norm_input(draw, *shape)), shape, seen=f"for x of shape {list(shape)}")


@layer_norm.property("one constant added to a position changes nothing")
def norm_constant(call, draw):
    """Invariance to the mean."""
    x, scale, shift = norm_input(draw, 2, 3, 4)
    before = expect.tensor(call(x, scale, shift), (2, 3, 4))
    other = x.clone()
    other[1, 2] += 3
    after = expect.tensor(call(other, scale, shift), (2, 3, 4))
    if not expect.close(after[1, 2], before[1, 2]):
        raise Broken(
            "a constant added to all numbers of a position is still there afterwards",
            "for C = 4, with 3 added",
        )


@layer_norm.property("a position multiplied by 3 comes out almost the same")
def norm_factor(call, draw):
    """Invariance to the size, but for the 1e-5."""
    x, scale, shift = norm_input(draw, 2, 3, 4)
    before = expect.tensor(call(x, scale, shift), (2, 3, 4))
    other = x.clone()
    other[0, 1] *= 3
    after = expect.tensor(call(other, scale, shift), (2, 3, 4))
    if not expect.close(after[0, 1], before[0, 1], tolerance=1e-3):
        raise Broken(
            "the size of a position's vector is still seen afterwards",
            "for C = 4, one position multiplied by 3",
        )


@layer_norm.property("no position hears of another one")
def norm_alone(call, draw):
    """Change one position; the others stay."""
    x, scale, shift = norm_input(draw, 2, 3, 4)
    before = expect.tensor(call(x, scale, shift), (2, 3, 4))
    other = x.clone()
    other[1, 1] = normal(draw, 4) * 5
    moved = (expect.tensor(call(other, scale, shift), (2, 3, 4)) - before).abs() > 1e-5
    moved = moved.any(-1)  # [B, T]
    moved[1, 1] = False
    if moved.any():
        if expect.close(before, one_variance(x, scale, shift)):
            raise Broken(FOR_ALL, "for B = 2, T = 3, C = 4")
        row, t = moved.nonzero()[0].tolist()
        raise Broken(
            "a position changes with another one: mean and variance belong to one vector",
            f"for B = 2, T = 3: position {t} of row {row} moved, position 1 of row 1 was changed",
        )


@layer_norm.property("far from 0 it gives the same as near it")
def norm_far(call, draw):
    """Quarters, so that adding 2048 rounds nothing."""
    scale, shift = torch.ones(4), torch.zeros(4)
    near = torch.tensor([[[0.5, -1.25, 2.0, -0.75], [1.0, 0.25, -0.5, 1.75]]])
    before, after = (expect.tensor(call(x, scale, shift), (1, 2, 4)) for x in (near, near + 2048))
    gap = (after - before).abs().max().item()
    if gap > 1e-3:
        fault = "far from 0 it gives something else altogether"
        if gap < 1:
            fault = (
                "far from 0 the variance loses its digits: take the differences from the mean "
                "first, then square them"
            )
        raise Broken(
            fault,
            "for 0.5, -1.25, 2, -0.75 and the same with 2048 added to each",
        )


@layer_norm.property("a vector of equal numbers gives the shift, and never NaN")
def norm_equal(call, draw):
    """Variance 0; then a width of 1."""
    x, scale, shift = norm_input(draw, 1, 2, 4)
    expect.tensor(call(x, scale, shift), (1, 2, 4))
    x[0, 1] = 7
    found = call(x, scale, shift)
    if bool(found[0, 1].isnan().any()):
        raise Broken(
            "0 is divided by 0: what keeps the root from being 0 is missing",
            "for a position that holds 7, 7, 7, 7",
        )
    found = expect.tensor(found, (1, 2, 4))[0, 1]
    expect.equal(found, shift.double(), "for a position that holds 7, 7, 7, 7:")
    x, scale, shift = norm_input(draw, 2, 3, 1)
    found = call(x, scale, shift)
    seen = "for vectors of one number, C = 1"
    if isinstance(found, torch.Tensor) and bool(found.isnan().any()):
        raise Broken("with C = 1 it is 0/0: the variance is the mean of C squares", seen)
    found = expect.tensor(found, (2, 3, 1), seen=seen)
    expect.equal(found, shift.double().expand(2, 3, 1), seen)


@layer_norm.property("it is (x - mean) / sqrt(variance + 1e-5), times scale, plus shift")
def norm_values(call, draw):
    """Large and tiny vectors; a tiny one shows where the 1e-5 stands."""
    for size in (1.0, 1e-2):
        x, scale, shift = norm_input(draw, 2, 3, 5)
        x = x * size
        exact, s, b = x.double(), scale.double(), shift.double()
        centred = exact - exact.mean(-1, keepdim=True)
        variance = centred.pow(2).mean(-1, keepdim=True)

        def scaled(divisor, centred=centred, s=s, b=b):
            return centred / divisor * s + b

        right = F.layer_norm(exact, (5,), s, b, 1e-5)
        expect.equal(
            expect.tensor(call(x, scale, shift), (2, 3, 5)),
            right,
            f"for C = 5 and numbers of about {2 * size:g}:",
            known=(
                (
                    scaled((variance * 5 / 4 + 1e-5).sqrt()),
                    "the variance is divided by C - 1, not by C",
                ),
                (scaled(variance.sqrt() + 1e-5), "the 1e-5 stands outside the root"),
                (scaled(variance.sqrt()), "the 1e-5 is missing"),
                (one_variance(x, scale, shift), FOR_ALL),
                (
                    exact / (exact.pow(2).mean(-1, keepdim=True) + 1e-5).sqrt() * s + b,
                    "the mean is not subtracted",
                ),
                (scaled(variance + 1e-5), "it divides by the variance, not by its root"),
                ((right - b) / s, "scale and shift are not applied"),
                (right - b, "the shift is not added"),
                ((right - b) / s + b, "the scale is not multiplied in"),
                ((right - b) / s * (1 + s) + b, "it multiplies by 1 + scale"),
                ((right / s - b / s + b) * s, "the shift is added before the scale is applied"),
            ),
        )
