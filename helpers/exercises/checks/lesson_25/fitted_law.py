"""Exercise 25.4: three numbers of a scaling law by least squares."""

import numpy as np
import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import between, relative, whole
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

fitted_law = Exercise(
    "25.4",
    "fitted_law",
    title="A law through the runs",
    minutes=20,
    level="hard",
    points=3,
    imports=("torch", "numpy"),
    hints=(
        "With the exponents given, the law is a sum of three columns, each times an unknown "
        "number. Which columns?",
        "Runs that obey a law exactly must give its numbers back. With noise, no other three "
        "numbers have a smaller sum of squared errors.",
        "X = numpy.stack([ones, N**-a, D**-b], axis=1), then numpy.linalg.lstsq(X, losses, "
        "rcond=None)[0]. Columns of very unlike size need an rcond of 0, or a unit for N and D.",
    ),
)


def least(N, D, losses, a, b, columns=(True, True, True)) -> list[float]:
    """Return E, A and B of least squares; a column that is left out gives 0."""
    N, D = np.asarray(N, dtype=float), np.asarray(D, dtype=float)
    everything = [np.ones_like(N), (N / N[0]) ** -a, (D / D[0]) ** -b]
    chosen = [column for column, there in zip(everything, columns, strict=True) if there]
    found = iter(np.linalg.lstsq(np.stack(chosen, axis=1), np.asarray(losses), rcond=None)[0])
    E, A, B = (float(next(found)) if there else 0.0 for there in columns)
    return [E, A * float(N[0]) ** a, B * float(D[0]) ** b]


def some_runs(draw: torch.Generator, noise: float, count: int = 12):
    """Return N, D, losses, a, b and the law's E, A, B."""
    a, b = between(draw, 0.3, 1.0), between(draw, 0.3, 1.0)
    E, A, B = between(draw, 1.5, 3.0), between(draw, 0.2, 0.6), between(draw, 0.2, 0.6)
    N = [round(700 * 2 ** (k % 4) * between(draw, 1, 1.5)) for k in range(count)]
    D = [round(30_000 * 3 ** (k // 3) * between(draw, 1, 1.5)) for k in range(count)]
    A, B = A * 700**a, B * 30_000**b
    losses = [
        E + A * n**-a + B * d**-b + noise * between(draw, -1, 1) for n, d in zip(N, D, strict=True)
    ]
    return N, D, losses, a, b, [E, A, B]


def compare_law(call, N, D, losses, a, b, seen: str, fault: str) -> None:
    """Compare each number relative to its size, and name the known slips."""
    right = least(N, D, losses, a, b)
    got = expect.numbers(call(N, D, losses, a, b), 3, seen)

    def fits(numbers) -> bool:
        return expect.close(relative(got, numbers), [1.0, 1.0, 1.0], 1e-3)

    if fits(right):
        return
    E, A, B = right
    for numbers, sentence in (
        ([E, B, A], "A and B are exchanged"),
        ([A, B, E], "the numbers come in the order A, B, E"),
        (least(D, N, losses, a, b), "N and D are exchanged"),
        (least(N, D, losses, b, a), "the two exponents are exchanged"),
        (least(N, D, np.log(losses), a, b), "it fits the logarithms of the losses"),
        (least(N[:3], D[:3], losses[:3], a, b), "only the first three runs are used"),
    ):
        if all(number != 0 for number in numbers) and fits(numbers):
            fault = sentence
            break
    else:
        if got[0] == min(losses):
            raise Broken("the lowest loss is taken for E: no run has reached it", seen)
        without = least(N, D, losses, a, b, (False, True, True))
        if abs(got[0]) < 1e-9 and expect.close(relative(got[1:], without[1:]), [1.0, 1.0], 1e-3):
            fault = "E is left out: the law has a constant"
    raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(right)}")


@fitted_law.property("it gives three numbers")
def law_form(call, draw):
    """E, A, B."""
    N, D, losses, a, b, _ = some_runs(draw, 0)
    expect.numbers(call(N, D, losses, a, b), 3, "for 12 runs")


@fitted_law.property("runs that obey a law give its numbers back")
def law_exact(call, draw):
    """Twelve runs, and three, which have to be met exactly."""
    for count in (12, 3):
        N, D, losses, a, b, law = some_runs(draw, 0, count)
        if count == 3:
            N, D = [1000, 1000, 9000], [20_000, 180_000, 20_000]
            losses = [law[0] + law[1] * n**-a + law[2] * d**-b for n, d in zip(N, D, strict=True)]
        seen = f"for {count} runs without noise"
        compare_law(call, N, D, losses, a, b, seen, "it misses the law that the runs obey")


@fitted_law.property("no other three numbers have a smaller sum of squared errors")
def law_best(call, draw):
    """With noise, and one run that is given twice."""
    for count in (6, 12, 30):
        N, D, losses, a, b, _ = some_runs(draw, 0.02, count)
        again = whole(draw, 0, count - 1)
        N, D, losses = [*N, N[again]], [*D, D[again]], [*losses, losses[again] + 0.03]
        seen = f"for {count + 1} runs with noise"
        compare_law(
            call, N, D, losses, a, b, seen, "another law has a smaller sum of squared errors"
        )


@fitted_law.property("it works for models of real size")
def law_large(call, draw):
    """Billions of parameters and tokens: the columns are tiny."""
    a, b, law = 0.34, 0.28, [1.69, 406.4, 410.7]
    N = [4e8 * 2**k for k in range(6)] * 2
    D = [8e9 * 3 ** (k // 3) * (1 + k % 2) for k in range(12)]
    losses = [law[0] + law[1] * n**-a + law[2] * d**-b for n, d in zip(N, D, strict=True)]
    losses = [loss * between(draw, 0.9999, 1.0001) for loss in losses]
    compare_law(
        call, N, D, losses, a, b, "for 12 runs of billions", "it loses the law of large models"
    )


@fitted_law.property("any exponents, whole ones too, and numbers below 0")
def law_odd(call, draw):
    """Columns whose sizes lie far apart; losses that rise with N."""
    D = [2 * 10**10 * 3 ** (k // 2) for k in range(6)]
    for a, size, A, fault in (
        (2, 10**10, 0.3, "whole exponents overflow: make floats of N and D first"),
        (1.5, 10**11, 0.3, "a column of tiny numbers is lost: bring all columns to one size"),
        (1.0, 10**9, 1e-5, "a small share of the loss is lost: 32 bits have too few digits"),
        (0.5, 10**9, -0.3, "a number below 0 is changed: no other three are better"),
    ):
        N = [size * 2 ** (k % 2) * (1 + k // 4) for k in range(6)]
        A = A * float(size) ** a
        losses = [
            2.0 + A * float(n) ** -a + 300.0 * float(d) ** -0.3 for n, d in zip(N, D, strict=True)
        ]
        seen = f"for N from {min(N):.0e} and a = {a}"
        if call.error(N, D, losses, a, 0.3):
            raise Broken(fault, seen)
        compare_law(call, N, D, losses, a, 0.3, seen, fault)
