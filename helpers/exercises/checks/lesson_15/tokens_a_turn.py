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


def right(pair: int, D: int, base: float) -> float:
    """Return 2 pi over the pair's speed."""
    return 2 * math.pi * base ** (2 * pair / D)


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
            known=(
                (1.0, "a full turn is 2 pi radians, not one"),
                (math.pi, "a full turn is 2 pi, not pi"),
                (360.0, "the angle is in radians, not in degrees"),
                (right(1, D, base), "pairs are counted from 0"),
            ),
        )


@tokens_a_turn.property("pair i takes base ** (2 i / D) times as long")
def turn_others(call, draw):
    """All pairs of some widths; the last one of a real model."""
    drawn = 2 * int(torch.randint(2, 40, (), generator=draw))
    for D, base in ((8, 10_000.0), (128, 500_000.0), (drawn, 1000.0)):
        for pair in {1, D // 4, D // 2 - 1}:
            seen = f"for pair {pair}, D = {D}, base {base:g}"
            expect.equal(
                expect.number(call(pair, D, base), seen),
                right(pair, D, base),
                seen,
                "it is another number of tokens",
                known=(
                    (2 * math.pi * base ** (pair / D), "the exponent is 2 i / D, not i / D"),
                    (right(-pair, D, base), "later pairs turn more slowly, not faster"),
                    (base ** (2 * pair / D), "a full turn is 2 pi radians, not one"),
                ),
            )
