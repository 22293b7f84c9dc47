"""Exercise 14.2: slopes for any number of heads (C50)."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

slopes = Exercise(
    "14.2",
    "slopes",
    title="A slope for every head",
    minutes=8,
    level="medium",
    points=2,
    imports=(),
    seconds=5,
    hints=(
        "Write it for powers of two first. What is the largest power of two that is not above "
        "heads?",
        "For 8 heads: 1/2, 1/4 ... 1/256. For 6: those of 4 heads, then 1/2 and 1/8, which stand "
        "first and third among those of 8.",
        "power = 1; while 2 * power <= heads: power *= 2. The own ones are 2 ** (-8 * h / power) "
        "for h from 1; the rest come from those of 2 * power heads, taken [0::2], as many as "
        "are missing.",
    ),
)


def of_power(power: int) -> list[float]:
    """Return the slopes for a power of two."""
    return [2.0 ** (-8 * h / power) for h in range(1, power + 1)]


def power_below(heads: int) -> int:
    """Return the largest power of two that is not above heads."""
    return 1 << (heads.bit_length() - 1)


def right(heads: int) -> list[float]:
    """Return the slopes for any number of heads."""
    power = power_below(heads)
    return of_power(power) + of_power(2 * power)[0::2][: heads - power]


def slips(heads: int) -> list[tuple[list[float], str]]:
    """Return what known faults give."""
    power = power_below(heads)
    double = of_power(2 * power)
    missing = heads - power
    starts = [2.0 ** (-8 * h / power) for h in range(power)]
    return [
        (of_power(heads), "the formula for powers of two is used for every number"),
        (starts + double[0::2][:missing], "h is counted from 0: the first slope is 1"),
        (of_power(power) + double[1::2][:missing], "the missing ones repeat slopes that are there"),
        (of_power(power) + double[:missing], "all of the longer list is taken, not every other"),
        (double[:heads] if missing else [], "they are the first ones for the power of two above"),
        (sorted(right(heads), reverse=True), "they are sorted: the missing ones come last"),
        ([2.0**-h for h in range(1, heads + 1)], "they halve from head to head whatever H is"),
    ]


def of(call, heads: int) -> list[float]:
    """Return the answer's slopes, after a look at their form."""
    return expect.numbers(call(heads), heads, f"for {heads} heads")


@slopes.property("it is a list with a number from 0 to 1 for each head, no two alike")
def slopes_form(call, draw):
    """Also for numbers that are no powers of two."""
    for heads in (1, 2, 3, 6, 12, 71):
        got = of(call, heads)
        if not all(0 < slope <= 1 for slope in got):
            raise Broken("a slope does not lie between 0 and 1", f"for {heads} heads")
        if len({round(slope, 12) for slope in got}) < heads:
            known = [text for value, text in slips(heads) if expect.close(got, value)]
            fault = known[0] if known else "two heads have the same slope"
            raise Broken(fault, f"for {heads} heads")


@slopes.property("for a power of two it is 2 ** (-8 h / H), h from 1 to H")
def slopes_powers(call, draw):
    """1 to 64."""
    for heads in (8, 4, 2, 1, 16, 64):
        expect.equal(
            of(call, heads),
            of_power(heads),
            f"for {heads} heads",
            "these are other numbers",
            known=slips(heads),
        )


@slopes.property("for other numbers, the missing ones come from the power of two above")
def slopes_others(call, draw):
    """C50: 6 and 12; and drawn ones."""
    drawn = torch.randint(17, 100, (3,), generator=draw).tolist()
    for heads in (12, 6, 3, 5, 7, *drawn, 130, 300):
        expect.equal(
            of(call, heads),
            right(heads),
            f"for {heads} heads",
            "for a number that is no power of two, these are other numbers",
            known=slips(heads),
        )
