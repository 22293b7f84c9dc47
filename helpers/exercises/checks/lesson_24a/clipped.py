"""Exercise 24a.3: clip, and do not turn."""

import torch
from torch import Tensor

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

clipped = Exercise(
    "24a.3",
    "clipped",
    title="Clip, and do not turn",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "All tensors are one long vector. What is its length, and by what one number do you "
        "multiply all of them?",
        "[3, 0] and [0, 0.5] with limit 1 have length 3.0414 and become [0.986, 0] and "
        "[0, 0.164]: still 6 to 1. With limit 4 they stay as they are.",
        "norm = sum of (g ** 2).sum() over all, and the root of that; factor = limit / norm if "
        "norm > limit, else 1; return new tensors g * factor.",
    ),
)


def length(gradients: list[Tensor]) -> float:
    """Return the length of all as one vector."""
    return float(torch.cat([g.flatten() for g in gradients]).norm())


def compare(call, gradients: list[Tensor], limit: float, seen: str) -> None:
    """Compare length and gradients, and name the known slips."""
    found = expect.table(call(gradients, limit), ("norm", "gradients"), seen)
    before, norm = gradients, length(gradients)
    by_tensor = [float(g.norm()) for g in before]
    told = [
        (min(norm, limit), "the length after clipping is told, not that before"),
        (norm**2, "the squares are summed, and the root is not taken"),
        (sum(by_tensor), "the tensors' lengths are added: lengths add up in squares"),
        (max(by_tensor), "the longest tensor's length is told, not that of all"),
        (sum(float(g.abs().sum()) for g in before), "sizes are added, not squares"),
    ]
    number = expect.number(found["norm"], f"{seen}, in 'norm'")
    expect.equal(number, norm, f"{seen}, in 'norm':", "'norm' is another length", told, 1e-9)
    new = expect.items(found["gradients"], len(before), f"{seen}, in 'gradients'")
    ways = {
        "each tensor is clipped for itself, so the direction turns": [
            g * min(1.0, limit / float(g.norm())) if g.any() else g for g in before
        ],
        "each number is cut off, so the direction turns": [g.clamp(-limit, limit) for g in before],
        "what is short is made longer: the limit is no aim": [
            g * (limit / norm) if norm else g for g in before
        ],
        "nothing is clipped": before,
        "all are divided by their length, and the limit is forgotten": [
            g / norm if norm > limit else g for g in before
        ],
    }
    factor = limit / norm if norm > limit else 1.0
    for place, (value, g) in enumerate(zip(new, before, strict=True)):
        where = f"{seen}, in gradient {place}"
        if norm == 0 and isinstance(value, Tensor) and value.isnan().any():
            raise Broken("it divides by a length of 0", where)
        value = expect.tensor(value, tuple(g.shape), "float", where)
        known = [(way[place], words) for words, way in ways.items()]
        expect.equal(value, g * factor, f"{where}:", "it is not the asked tensor", known, 1e-9)


def drawn(draw: torch.Generator, long: float) -> list[Tensor]:
    """Return gradients of three shapes whose length as one vector is `long`; one is short."""
    shapes = ((4,), (2, 3), (1,))
    drawn = [torch.randn(shape, generator=draw, dtype=torch.float64) for shape in shapes]
    drawn[0] = drawn[0] / drawn[0].norm() * 5
    drawn[1] = drawn[1] / drawn[1].norm() * 3
    drawn[2] = torch.full((1,), 0.25, dtype=torch.float64)
    return [g * (long / length(drawn)) for g in drawn]


@clipped.property("what is too long is shortened by one factor for all")
def long(call, draw):
    """Limits above and below 1, three shapes."""
    for limit in (2.0, 0.5):
        compare(call, drawn(draw, 8.0), limit, f"for length 8 and limit {limit:g}")
    compare(call, drawn(draw, 1e6), 1.0, "for length 1,000,000 and limit 1")


@clipped.property("what is short enough keeps its values")
def short(call, draw):
    """Below the limit, and exactly at it."""
    compare(call, drawn(draw, 1.5), 2.0, "for length 1.5 and limit 2")
    at = [torch.tensor([3.0], dtype=torch.float64), torch.tensor([[0.0, 4.0]], dtype=torch.float64)]
    compare(call, at, 5.0, "for length 5 and limit 5")


@clipped.property("zeros stay zeros")
def zeros(call, draw):
    """All zeros; and one tensor of zeros among others."""
    nothing = [torch.zeros(3, dtype=torch.float64), torch.zeros(2, 2, dtype=torch.float64)]
    compare(call, nothing, 1.0, "for zeros")
    compare(call, [*drawn(draw, 8.0), nothing[0]], 2.0, "for zeros among others")


@clipped.property("one tensor alone, and one number alone")
def alone(call, draw):
    """A single tensor; a tensor of shape []."""
    compare(call, drawn(draw, 8.0)[:1], 2.0, "for one tensor")
    compare(call, [torch.tensor(-7.0, dtype=torch.float64)], 2.0, "for one number")
