"""Exercise 24b.1: how far apart two numbers lie."""

import math

from helpers.exercises import expect
from helpers.exercises.checks.lesson_24b.shared import draw_whole
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise

spacing = Exercise(
    "24b.1",
    "spacing",
    title="How far apart two numbers lie",
    minutes=8,
    level="warm-up",
    points=2,
    imports=(),
    hints=(
        "Between one power of two and the next lie equally many numbers, whatever the power. "
        "Which power of two is just below x?",
        "bfloat16 has 7 bits for the digits. At 1 and at 1.99 its numbers lie 1/128 apart, at 2 "
        "and at 3 twice as far, at 0.75 half as far.",
        "math.frexp(x) gives m and e with x = m * 2**e and m from 1/2 to below 1, so 2**(e - 1) "
        "is the power of two; return 2.0 ** (e - 1 - digits).",
    ),
)


def right(x: float, digits: int) -> float:
    """Return the distance of two neighbours at x."""
    return math.ldexp(1.0, math.frexp(x)[1] - 1 - digits)


def power(exponent: int) -> float:
    """Return a power of two."""
    return math.ldexp(1.0, exponent)


SLIPS = {
    "it is the distance at 1, whatever x": lambda x, d: power(-d),
    "it grows with x itself: between two powers of two it is one distance": lambda x, d: (
        x * power(-d)
    ),
    "it is twice the distance: is the first digit counted?": lambda x, d: 2 * right(x, d),
    "it is half of the distance": lambda x, d: right(x, d) / 2,
    "it is that of the power above x": lambda x, d: power(math.ceil(math.log2(x)) - d),
    "it is that of the nearest power": lambda x, d: power(round(math.log2(x)) - d),
    "below 1 the exponent is cut off towards 0, not rounded down": lambda x, d: power(
        int(math.log2(x)) - d
    ),
    "just below a power of two the logarithm was rounded up to it": lambda x, d: power(
        math.floor(math.log2(x)) - d
    ),
    "the digits are bits, not decimal ones": lambda x, d: 10.0 ** (math.floor(math.log10(x)) - d),
}
BELOW = [math.nextafter(power(k), 0.0) for k in (0, 3, 40)]
PROBES = [(x, 7) for x in (1.0, 1.2, 1.9, 4.0, 0.3, 0.25, BELOW[1])]


def compare(call, x: float, digits: int, seen: str) -> None:
    """Compare exactly, and name the known slips."""
    got, wanted = expect.number(call(x, digits), seen), right(x, digits)
    if got != wanted:
        fault = slip_of(call, PROBES, SLIPS, lambda a, b: a == b) or "it is another distance"
        raise Broken(fault, f"{seen} it gives {got!r}, right is {wanted!r}")


@spacing.property("at powers of two, above 1 and below")
def powers(call, draw):
    """Exact powers, with the digits of three formats."""
    for x in (1.0, 2.0, 1024.0, 0.5, 0.125, 2.0**-90, 2.0**90):
        for digits in (7, 10, 23):
            compare(call, x, digits, f"for x = {x:g} and {digits} digits:")


@spacing.property("between them it does not change")
def between(call, draw):
    """Numbers drawn over many powers, from tiny to huge."""
    for exponent in (-95, -20, -3, -1, 0, 1, 5, 30, 95):
        x = math.ldexp(1 + draw_whole(draw, 1, 999) / 1000, exponent)
        digits = draw_whole(draw, 1, 30)
        compare(call, x, digits, f"for x = {x:.6g} and {digits} digits:")
    compare(call, 3.0, 7, "for x = 3 and 7 digits:")
    compare(call, 0.3, 7, "for x = 0.3 and 7 digits:")


@spacing.property("just below a power of two it is that of the power before")
def below(call, draw):
    """The largest float below 1, 8 and 2^40."""
    for x, exponent in zip(BELOW, (0, 3, 40), strict=True):
        compare(call, x, 7, f"for the largest float below 2**{exponent} and 7 digits:")
