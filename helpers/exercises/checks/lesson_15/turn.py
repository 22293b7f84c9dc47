"""Exercise 15.2: turn vectors by their positions, in both layouts (C42)."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_15.shared import LAYOUTS, speeds, turned
from helpers.exercises.exercise import Broken, Exercise

turn = Exercise(
    "15.2",
    "turn",
    title="Turn them yourself",
    minutes=15,
    level="medium",
    points=3,
    hints=(
        "Write it for one pair (a, b) and one angle first. What are the two new numbers?",
        "Position 0 changes nothing. The vector [1, 2, 3, 4] at position 1 becomes [-1.1426, "
        "1.9221, 2.9599, 4.0298] in pairs and [-1.9841, 1.9599, 2.4624, 4.0198] in halves.",
        "angles = positions[:, None] * base ** (-torch.arange(0, D, 2) / D). The first of a pair "
        "becomes a cos - b sin, the second b cos + a sin. Put them together by torch.stack(..., "
        "-1).flatten(-2) for pairs, by torch.cat for halves.",
    ),
)


def of(call, x, positions, base: float, layout: str) -> torch.Tensor:
    """Return the answer's vectors, after a look at their form."""
    seen = f"for x of shape {list(x.shape)} and layout {layout!r}"
    return expect.tensor(call(x, positions, base, layout), x.shape, seen=seen)


def both_added(x, angles, layout: str) -> torch.Tensor:
    """Return b sin at the first lane of each pair, and 0 at the second."""
    quarter = turned(x, torch.full_like(angles, -math.pi / 2), layout)  # (b, -a)
    first = torch.zeros(x.shape[1], dtype=torch.float64)
    first[torch.arange(0, len(first), 2) if layout == "pairs" else slice(len(first) // 2)] = 1
    sin = torch.stack([angles.sin()] * 2, -1).flatten(-2)
    if layout == "halves":
        sin = torch.cat([angles.sin()] * 2, dim=-1)
    return quarter * first * sin


def drawn(draw: torch.Generator, T: int, D: int) -> torch.Tensor:
    """Return vectors [T, D]."""
    return torch.randn((T, D), generator=draw)


@turn.property("it keeps the shape, and position 0 changes nothing")
def turn_zero(call, draw):
    """Both layouts."""
    x = drawn(draw, 3, 6)
    for layout in LAYOUTS:
        got = of(call, x, torch.zeros(3, dtype=torch.int64), 10_000.0, layout)
        added = turned(torch.tensor([[0.0, 1.0] * 3]), torch.zeros(3, 3), "pairs")
        known = ((x + added, "something is added, where it should turn"),)
        expect.equal(got, x.double(), "at position 0:", "position 0 changes a vector", known)


@turn.property("no vector becomes longer or shorter")
def turn_length(call, draw):
    """Turning only turns."""
    x = drawn(draw, 4, 8)
    for layout in LAYOUTS:
        got = of(call, x, torch.tensor([1, 2, 7, 30]), 100.0, layout)
        if not expect.close(got.norm(dim=-1), x.double().norm(dim=-1)):
            raise Broken("a vector changes its length: that is no turn", f"layout {layout!r}")


@turn.property("a score depends on how far apart two vectors stand, and on nothing else")
def turn_offset(call, draw):
    """The same two vectors, both moved on."""
    query, key = drawn(draw, 1, 8), drawn(draw, 1, 8)
    for layout in LAYOUTS:
        scores = []
        for shift in (0, 1, 11):
            at = (torch.tensor([5 + shift]), torch.tensor([2 + shift]))
            turned_two = [
                of(call, x, p, 100.0, layout) for x, p in zip((query, key), at, strict=True)
            ]
            scores.append(float((turned_two[0] * turned_two[1]).sum()))
        if max(scores) - min(scores) > 1e-4:
            raise Broken("a score changes when both vectors move on together", f"layout {layout!r}")


def reordered(x: torch.Tensor, angles: torch.Tensor, layout: str) -> torch.Tensor:
    """Return halves put into pairs, turned, and put into pairs once more."""
    order = torch.arange(x.shape[1]).view(2, -1).T.flatten()
    there = turned(x[:, order], angles, "pairs")[:, order]
    return there if layout == "halves" else turned(x, angles, layout)


SIXTEEN = "angles are counted in 16 bits: far places need float32"


def slips(x, positions, base: float, layout: str) -> list[tuple[torch.Tensor, str]]:
    """Return what known faults give, each with its sentence."""
    T, D = x.shape
    angles = positions[:, None] * speeds(D, base)
    other = LAYOUTS[1 - LAYOUTS.index(layout)]
    quick = torch.arange(D // 2) / D

    def at(places) -> torch.Tensor:
        return turned(x, places[:, None] * speeds(D, base), layout)

    clocks = [
        positions.to(kind).double()[:, None] * speeds(D, base).to(kind).double()
        for kind in (torch.float16, torch.bfloat16)
    ]
    return [
        (turned(x, angles, other), "the layouts have changed places, or are one"),
        (turned(x, -angles, layout), "it turns backwards"),
        (
            turned(x, angles, layout) + 2 * both_added(x, angles, layout),
            "both sines are added: one of them is subtracted",
        ),
        (turned(x, positions[:, None] / base**quick, layout), "the exponent is 2 i / D, not i / D"),
        (
            turned(x, positions[:, None] * torch.ones(D // 2), layout),
            "all pairs turn at one speed",
        ),
        (turned(x, angles.flip(-1), layout), "the slow pairs stand first"),
        (at(positions - positions.min()), "places are counted from the smallest one, not from 0"),
        (at(positions - positions[0]), "places are counted from the first vector's, not from 0"),
        (at(positions.sort().values), "places are put in order, and each vector has its own"),
        (at(torch.arange(T)), "the positions are not used: it counts the rows"),
        (turned(x, positions[:, None] * speeds(D), layout), "the base is always 10000"),
        (reordered(x, angles, layout), "the lanes do not come back to where they stood"),
        *((turned(x, clock, layout), SIXTEEN) for clock in clocks),
    ]


@turn.property("it gives the numbers of each layout")
def turn_values(call, draw):
    """C42, then drawn vectors at places of no order, once, twice and far from 0."""
    C42 = torch.tensor([[1.0, 2.0, 3.0, 4.0]]), torch.tensor([1]), 10_000.0
    cases = [
        (drawn(draw, 4, 8), torch.tensor([5, 3, 9, 4]), 50.0),
        C42,
        (drawn(draw, 4, 8), torch.tensor([3, 0, 9, 4]), 50.0),
        (drawn(draw, 4, 6), torch.randint(1, 30, (4,), generator=draw), 500_000.0),
        (drawn(draw, 3, 2), torch.tensor([2, 2, 0]), 10_000.0),
        (1e4 * drawn(draw, 2, 12), torch.tensor([6, 6]), 10_000),
        (1e-4 * drawn(draw, 2, 12), torch.tensor([1, 7]), 10_000.0),
    ]
    for x, positions, base in cases:
        size = float(x.abs().max())  # rounding goes with the largest number of a vector
        for layout in LAYOUTS:
            right = turned(x, positions[:, None] * speeds(x.shape[1], base), layout)
            expect.equal(
                of(call, x, positions, base, layout) / size,
                right / size,
                f"for base {base:g}, layout {layout!r}, positions {positions.tolist()}, in parts "
                "of the largest number:",
                "these are other numbers",
                known=[(v / size, said) for v, said in slips(x, positions, base, layout)],
            )


@turn.property("it goes by the places of this call")
def turn_again(call, draw):
    """The same vectors at one set of places after the other."""
    x = drawn(draw, 3, 4)
    for layout in LAYOUTS:
        first = torch.tensor([2, 8, 5])
        stale = turned(x, first[:, None] * speeds(4, 100.0), layout)
        for positions in (first, torch.tensor([7, 1, 5]), torch.tensor([0, 1, 2])):
            expect.equal(
                of(call, x, positions, 100.0, layout),
                turned(x, positions[:, None] * speeds(4, 100.0), layout),
                f"for layout {layout!r}, positions {positions.tolist()}, after {first.tolist()}:",
                "these are other numbers",
                known=[
                    (stale, "the places of an earlier call are still used"),
                    *slips(x, positions, 100.0, layout),
                ],
            )


@turn.property("it holds to the last place, 4,095")
def turn_far(call, draw):
    """A float32 angle is near enough there, 16 bits are not, and no table may end before."""
    drawn_far = torch.randint(2100, 4096, (3,), generator=draw)
    for base in (10_000.0, 500_000.0):
        positions = torch.cat([torch.tensor([4095, 3001, 2049]), drawn_far])
        x = drawn(draw, 6, 8)
        x = x / x.norm(dim=-1, keepdim=True)
        exact = speeds(8, base)
        for layout in LAYOUTS:
            ends = [
                (
                    turned(x, positions.clamp(max=n)[:, None] * exact, layout),
                    "the angles end at some place, and all later ones get the last",
                )
                for n in (255, 511, 1023, 1024, 2047, 2048)
            ]
            expect.equal(
                of(call, x, positions, base, layout),
                turned(x, positions[:, None] * exact, layout),
                f"for base {base:g}, layout {layout!r}, positions {positions.tolist()}:",
                "far from 0 these are other numbers",
                known=[*ends, *slips(x, positions, base, layout)],
                tolerance=4e-3,
            )
