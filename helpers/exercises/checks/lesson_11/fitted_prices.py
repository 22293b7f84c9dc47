"""Exercise 11.5: two prices from many points."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_11.shared import between, shuffled, whole_between
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

fitted_prices = Exercise(
    "11.5",
    "fitted_prices",
    title="Two prices from many points",
    minutes=30,
    level="challenge",
    points=4,
    imports=("torch", "numpy"),
    hints=(
        "The sum of the squared misses is smallest where moving either price a little changes "
        "nothing. What does dividing a miss by the measured time do to the three numbers of a "
        "point?",
        "Two points alone must be met exactly. If one point takes 1,000 times as long as the "
        "others, it must not count more than they do: give a point twice, and see what changes.",
        "Divide steps and millions of each point by its milliseconds: s and m. Now s * overhead + "
        "m * price should be 1 for every point. Solve overhead * sum(s*s) + price * sum(s*m) = "
        "sum(s) and overhead * sum(s*m) + price * sum(m*m) = sum(m), or give the table of s and m "
        "and a column of ones to numpy.linalg.lstsq.",
    ),
)


# the medians of data/benchmarks/kv_cache.json: steps, millions of multiply-adds, milliseconds
RECORDED = [
    [9, 0.574656, 6.218],  # 1 x 9 uncached
    [9, 0.116928, 5.942],  # 1 x 9 preallocated
    [9, 4.597248, 6.975],  # 8 x 9 uncached
    [9, 0.935424, 6.295],  # 8 x 9 preallocated
    [9, 294.223872, 45.381],  # 512 x 9 uncached
    [9, 59.867136, 16.766],  # 512 x 9 preallocated
    [64, 250.462208, 64.680],  # 8 x 64 uncached
    [64, 7.553024, 42.946],  # 8 x 64 preallocated
    [64, 16029.581312, 1795.591],  # 512 x 64 uncached
    [64, 483.393536, 173.798],  # 512 x 64 preallocated
    [512, 4485.660672, 977.744],  # 1 x 512 uncached
    [512, 14.893056, 324.130],  # 1 x 512 preallocated
    [512, 35885.285376, 4831.995],  # 8 x 512 uncached
    [512, 119.144448, 393.063],  # 8 x 512 preallocated
    [256, 48917.643264, 5641.200],  # 64 x 256 uncached
    [256, 342.360064, 272.153],  # 64 x 256 preallocated
]


def fit(points: list, weight=lambda ms: 1 / ms, mixed: float = 1) -> list[float]:
    """Return the prices with the smallest sum of (weight * miss) squared."""
    ss = sm = mm = st = mt = 0.0
    for steps, millions, ms in points:
        w = weight(ms) ** 2
        ss, sm, mm = ss + w * steps**2, sm + w * steps * millions, mm + w * millions**2
        st, mt = st + w * steps * ms, mt + w * millions * ms
    sm *= mixed
    below = ss * mm - sm * sm
    return [(st * mm - mt * sm) / below, (mt * ss - st * sm) / below]


def some_points(draw: torch.Generator, count: int, noise: float) -> tuple[list, list[float]]:
    """Return points that two prices explain, up to noise, and the prices."""
    overhead, price = between(draw, 0.4, 0.9), between(draw, 0.1, 0.3)
    points = []
    for number in range(count):
        steps = 2 ** (1 + number % 5) + whole_between(draw, 0, 1)
        millions = between(draw, 1, 3) * 4.0 ** (number * 3 % 7) / 10
        miss = 1 + noise * between(draw, -1, 1)
        points.append([steps, millions, (steps * overhead + millions * price) * miss])
    return points, [overhead, price]


def compare_prices(call, points: list, seen: str, fault: str) -> None:
    """Compare each price, relative to its own size, and name the known slips."""
    right = fit(points)

    def relative(prices):
        return [price / other for price, other in zip(prices, right, strict=True)]

    got = expect.numbers(call(points), 2, seen)
    if expect.close(relative(got), [1.0, 1.0]):
        return
    for prices, sentence in (
        (right[::-1], "the two prices are swapped"),
        (
            fit(points, lambda ms: 1.0),
            "the misses are taken in milliseconds, so the slowest points decide alone",
        ),
        (
            fit(points, lambda ms: ms**-0.5),
            "a squared miss is divided by the time, where the miss itself should be",
        ),
        (fit(points, mixed=0), "each price is fitted as if the other were nothing"),
        (
            fit([points[0], points[-1]]),
            "only the first and the last point decide, the others are not used",
        ),
        (fit(points[:2]), "only the first two points decide, the rest is not used"),
    ):
        if expect.close(relative(got), relative(prices)):
            fault = sentence
            break
    raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(right)}")


@fitted_prices.property("it gives two numbers: the price of a step, and that of a million")
def prices_form(call, draw):
    """Two points and eight."""
    for count in (2, 8):
        expect.numbers(call(some_points(draw, count, 0.1)[0]), 2, f"for {count} points")


@fitted_prices.property("where the theory is exact, it finds the prices that were used")
def prices_exact(call, draw):
    """No noise: every way of weighing finds the same."""
    for count in (2, 3, 8):
        points, _ = some_points(draw, count, 0)
        compare_prices(
            call, points, f"for {count} points without noise", "it misses the prices it should find"
        )


@fitted_prices.property("no other pair of prices misses less, relative to the times")
def prices_best(call, draw):
    """With noise, points of every size."""
    for count in (3, 8, 12):
        points, _ = some_points(draw, count, 0.2)
        points.insert(1, points[1])  # measured twice, so it counts twice
        compare_prices(
            call,
            points,
            f"for {count + 1} points with noise",
            "another pair of prices has a smaller sum of squared relative misses",
        )


@fitted_prices.property("prices may be tiny or below 0")
def prices_odd(call, draw):
    """Nanoseconds; a price that comes out negative."""
    for points, seen, fault in (
        (
            [[2, 10, 4e-8], [4, 10, 6e-8]],
            "for times of some nanoseconds",
            "tiny prices are rounded away",
        ),
        (
            [[2, 10, 4], [4, 10, 1]],
            "for two points that only a negative price explains",
            "a price below 0 is cut off, and then the sum is not the smallest",
        ),
    ):
        compare_prices(call, points, seen, fault)


@fitted_prices.property("the order of the points does not matter")
def prices_order(call, draw):
    """Shuffle."""
    points, _ = some_points(draw, 6, 0.2)
    first = expect.numbers(call(points), 2)
    for _ in range(3):
        other = expect.numbers(call(shuffled(draw, points)), 2)
        if not all(math.isclose(a, b, rel_tol=1e-5) for a, b in zip(other, first, strict=True)):
            raise Broken(
                "the prices change with the order of the points",
                f"for 6 points, from {show(first)} to {show(other)}",
            )


@fitted_prices.property("for the recorded grid it gives the prices of that machine")
def prices_recorded(call, draw):
    """The sixteen medians of lesson 11."""
    compare_prices(
        call, RECORDED, "for the recorded grid", "it misses the prices of the recorded grid"
    )
