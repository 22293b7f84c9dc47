"""Exercise 25.6: the lowest point between the runs."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import between, relative, whole
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

lowest_point = Exercise(
    "25.6",
    "lowest_point",
    title="Between the runs",
    minutes=15,
    level="medium",
    points=2,
    imports=("torch", "numpy"),
    hints=(
        "The best of the sizes that were tried is seldom the best size. Which curve goes through "
        "losses that fall and rise again, and in which scale of N are they even?",
        "Three runs are met exactly. Losses that are equal left and right of a size put the lowest "
        "point into the middle of the logarithms: at the root of the product.",
        "x = numpy.log(sizes); p2, p1, p0 = numpy.polyfit(x, losses, 2); return exp(-p1 / (2*p2)).",
    ),
)


def vertex(x: list[float], y: list[float]) -> float:
    """Return the lowest point of the parabola of least squares, in float64."""
    X = torch.tensor(x, dtype=torch.float64)
    middle, spread = X.mean(), X.std()
    X = (X - middle) / spread
    columns = torch.stack([torch.ones_like(X), X, X * X], dim=1)
    Y = torch.tensor(y, dtype=torch.float64)
    _, slope, square = torch.linalg.lstsq(columns, (Y - Y.mean())[:, None]).solution[:, 0].tolist()
    return float(middle) - slope / (2 * square) * float(spread)


def right(sizes: list, losses: list[float]) -> float:
    """Return the N of least loss by a parabola in ln N."""
    return math.exp(vertex([math.log(n) for n in sizes], losses))


def try_runs(call, sizes: list, losses: list[float], seen: str) -> None:
    """Compare relative to the size, and name the known slips."""
    got, wanted = expect.number(call(sizes, losses), seen), right(sizes, losses)
    if expect.close(relative([got], [wanted]), [1.0], 1e-3):
        return
    best = sorted(range(len(sizes)), key=lambda k: losses[k])
    order = sorted(range(len(sizes)), key=lambda k: sizes[k])
    at = max(1, min(len(order) - 2, order.index(best[0])))
    three = [order[at + k] for k in (-1, 0, 1)]
    for value, sentence in (
        (sizes[best[0]], "it is the best of the sizes that were tried"),
        (vertex([math.log(n) for n in sizes], losses), "this is the logarithm of N"),
        (vertex(list(sizes), losses), "the parabola is one in N, not in its logarithm"),
        (
            right([sizes[k] for k in three], [losses[k] for k in three]),
            "only the best run and its two neighbours are used",
        ),
        (
            10 ** vertex([math.log(n) for n in sizes], losses),
            "the logarithm of one base is undone with another",
        ),
        (wanted**2, "the vertex is at -p1 / (2 p2), not at -p1 / p2"),
    ):
        if math.isclose(got, value, rel_tol=1e-3):
            raise Broken(sentence, f"{seen} it gives {show(got)}, right is {show(wanted)}")
    fault = "it is not the lowest point of the parabola"
    raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(wanted)}")


@lowest_point.property("losses that are equal on both sides put it into the middle")
def symmetric(call, draw):
    """Three runs, and four of which none is the lowest point."""
    try_runs(call, [100, 400, 1600], [3.2, 3.0, 3.2], "for three runs")
    try_runs(call, [100, 200, 400, 800], [3.4, 3.1, 3.1, 3.4], "for four runs")


@lowest_point.property("it finds the lowest point of any parabola in ln N, in any order")
def exact(call, draw):
    """Drawn parabolas, sizes shuffled; also one whose lowest point lies outside of the sizes."""
    for outside in (0.0, 0.0, 2.5):
        low = math.log(10.0 ** between(draw, 3, 5)) + outside
        bend, floor = between(draw, 0.02, 0.2), between(draw, 2, 4)
        sizes = [10.0 ** (2.5 + 0.5 * k) for k in range(whole(draw, 5, 7))]
        order = torch.randperm(len(sizes), generator=draw).tolist()
        sizes = [sizes[k] for k in order]
        losses = [floor + bend * (math.log(n) - low) ** 2 for n in sizes]
        try_runs(call, sizes, losses, f"for {len(sizes)} runs without noise")


@lowest_point.property("it need not lie between the sizes")
def outside(call, draw):
    """Above all of them, and below."""
    sizes = [1e6, 2e6, 4e6]
    for low in (1e7, 2e5):
        losses = [3.0 + 0.1 * math.log(n / low) ** 2 for n in sizes]
        try_runs(
            call, sizes, losses, f"for sizes of 1 to 4 million and a lowest point at {low:.0e}"
        )


@lowest_point.property("with noise it is the parabola of all runs that counts")
def noisy(call, draw):
    """Runs of real size, and one that is there twice."""
    low, bend = math.log(3e9), 0.05
    sizes = [1e8 * 4**k for k in range(7)]
    drawn = [between(draw, -0.02, 0.02) for _ in sizes]
    # the first misses are such that no few runs give what all of them give
    for misses in ([0.0, 0.03, -0.02, 0.02, -0.03, 0.01, 0.0], drawn):
        losses = [
            2.2 + bend * (math.log(n) - low) ** 2 + miss
            for n, miss in zip(sizes, misses, strict=True)
        ]
        try_runs(call, [*sizes, sizes[1]], [*losses, losses[1] + 0.05], "for 8 runs with noise")


@lowest_point.property("sizes may lie close together")
def close_sizes(call, draw):
    """One to two billion: their logarithms differ by little."""
    low, sizes = 1.4e9, [1.0e9, 1.2e9, 1.5e9, 1.8e9, 2.0e9]
    losses = [2.5 + 0.1 * math.log(n / low) ** 2 for n in sizes]
    got = expect.number(call(sizes, losses), "for sizes from 1 to 2 billion")
    fault = "with sizes close together its digits run out: compute in 64 bits"
    expect.equal(got / low, 1.0, "for sizes from 1 to 2 billion, over 1.4:", fault, tolerance=1e-3)
