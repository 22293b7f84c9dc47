"""Exercise 15.1: the wavelength of a pair."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

tokens_a_turn = Exercise(
    "15.1",
    "tokens_a_turn",
    title="Once around",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    seconds=5,
    hints=(
        "How far does the pair turn with one token, and how far is once around?",
        "Pair 0 turns by 1 radian a token, whatever the base and the width are: 6.283 tokens. "
        "With D = 4 and base 10000, pair 1 takes 100 times as long.",
        "A full turn is 2 * math.pi radians; pair i turns by base ** (-2 * i / D) a token. Divide.",
    ),
)
ROUNDED = "it is rounded: give all digits"
EXACT = 1e-9  # no float32 has a part in it


def right(pair: int, D: int, base: float) -> float:
    """Return 2 pi over the pair's speed."""
    return 2 * math.pi * base ** (2 * pair / D)


def rounded(value: float) -> list[tuple[float, str]]:
    """Return a value rounded to fewer digits behind the point, each with its sentence."""
    return [(round(value, digits), ROUNDED) for digits in range(7)]


def slips(pair: int, D: int, base: float) -> list[tuple[float, str]]:
    """Return what known faults give, each with its sentence."""
    growth = base ** (2 * pair / D)
    found = [
        (2 * math.pi * base ** (pair / D), "the exponent is 2 i / D, not i / D"),
        (right(-pair, D, base), "later pairs turn more slowly, not faster"),
        (growth, "a full turn is 2 pi radians, not one"),
        (right(pair + 1, D, base), "pairs are counted from 0"),
        (
            2 * math.pi * base ** (pair / max(D // 2 - 1, 1)),
            "the last pair does not reach the base: the exponent is 2 i / D",
        ),
        (right(pair // 2, D, base), "the pair's number is taken for that of a lane"),
        (2 * math.pi * int(growth + 1e-9), "the growth over pair 0 is cut to a whole number"),
    ]
    speeds = [round(1 / growth, digits) for digits in range(4, 11)]
    lost = "the speed is rounded before it is divided by"
    found += [(2 * math.pi / max(speed, 1e-8), lost) for speed in speeds]
    return found + rounded(right(pair, D, base))


@tokens_a_turn.property("pair 0 takes 2 pi tokens, whatever the rest")
def turn_first(call, draw):
    """Speed 1."""
    for D, base in ((4, 10_000.0), (64, 500_000.0), (2, 100.0)):
        seen = f"for pair 0, D = {D}, base {base:g}"
        got = expect.number(call(0, D, base), seen)
        expect.equal(
            got,
            2 * math.pi,
            seen,
            "pair 0 turns by one radian a token",
            known=[
                (1.0, "a full turn is 2 pi radians, not one"),
                (math.pi, "a full turn is 2 pi, not pi"),
                (360.0, "the angle is in radians, not in degrees"),
                (right(1, D, base), "pairs are counted from 0"),
                *rounded(2 * math.pi),
            ],
            tolerance=EXACT,
        )


@tokens_a_turn.property("pair i takes base ** (2 i / D) times as long")
def turn_others(call, draw):
    """Pairs of some widths, the last one of a real model among them, with whole and other bases."""
    drawn = 2 * int(torch.randint(3, 40, (), generator=draw))
    base = 2 + 1000 * float(torch.rand((), generator=draw))
    sizes = ((8, 10_000), (8, 10_000.0), (128, 500_000.0), (64, 10_000.0), (drawn, base), (2, 7.5))
    for D, base in sizes:
        for pair in sorted({1, 2, 3, D // 4, D // 2 - 1}):
            if pair < D // 2:
                seen = f"for pair {pair}, D = {D}, base {base:g}"
                expect.equal(
                    expect.number(call(pair, D, base), seen),
                    right(pair, D, base),
                    seen,
                    "it is another number of tokens",
                    known=slips(pair, D, base),
                    tolerance=EXACT,
                )


@tokens_a_turn.property("it goes by the base of this call")
def turn_bases(call, draw):
    """One pair of one width, with one base after the other."""
    D = 2 * int(torch.randint(41, 60, (), generator=draw))  # none of the widths above
    pair, before = D // 2 - 2, 10_000.0
    for base in (before, 500_000.0, 1000.0, 20.0):
        seen = f"for pair {pair}, D = {D}, base {base:g}, after base {before:g}"
        stale = "the base of an earlier call is still used"
        expect.equal(
            expect.number(call(pair, D, base), seen),
            right(pair, D, base),
            seen,
            "it is another number of tokens",
            known=[(right(pair, D, 10_000.0), stale), *slips(pair, D, base)],
            tolerance=EXACT,
        )
