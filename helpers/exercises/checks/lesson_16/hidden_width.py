"""Exercise 16.1: the width of a gated part."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

hidden_width = Exercise(
    "16.1",
    "hidden_width",
    title="The width of a gated part",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "A plain part has 2 · C · 4C numbers, a gated one of hidden width h has 3 · C · h. Which h "
        "makes them equal, and what if it is no multiple?",
        "For C = 48 and multiple 1 it is exactly 128, not 129. For C = 4 and multiple 1 it is 11, "
        "since 8 · 4 / 3 = 10.67.",
        "How many multiples are needed is 8 C / (3 · multiple), rounded up. -(-a // b) rounds the "
        "quotient of two whole numbers up.",
    ),
)


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def right(C: int, multiple: int) -> int:
    """Return the smallest multiple that is not under 8C/3."""
    return -(-8 * C // (3 * multiple)) * multiple


def compare(call, cases: list[tuple[int, int]]) -> None:
    """Raise Broken unless every (C, multiple) gets its width; slips are known by their name."""
    found = [expect.whole(call(*case), f"for C, multiple = {list(case)}") for case in cases]
    slips = {
        "that is the width of the plain part: a gated one has three matrices": lambda C, m: 4 * C,
        "it rounds down, so the gated part is smaller than the plain one": (
            lambda C, m: 8 * C // (3 * m) * m
        ),
        "it rounds to the nearest multiple: half of these parts are smaller than the plain one": (
            lambda C, m: (16 * C + 3 * m) // (6 * m) * m
        ),
        "it is not rounded to a multiple": lambda C, m: -(-8 * C // 3),
        "it goes a step up where nothing needs rounding": lambda C, m: (8 * C // (3 * m) + 1) * m,
        "it takes two thirds of C instead of 4C": lambda C, m: -(-2 * C // (3 * m)) * m,
        "8C/3 is cut to a whole number before it is rounded up": (
            lambda C, m: -(-(8 * C // 3) // m) * m
        ),
        "a third of C is rounded before it is multiplied by 8": lambda C, m: (
            -(-8 * -(-C // 3) // m) * m
        ),
        "lower bits are cleared, which rounds to powers of two only": (
            lambda C, m: (-(-8 * C // 3) + m - 1) & ~(m - 1)
        ),
        "it never goes beyond 4C, where the smallest multiple may lie": (
            lambda C, m: min(right(C, m), 4 * C)
        ),
        "a smaller multiple would do": lambda C, m: (-(-8 * C // (3 * m)) + 1) * m,
    }
    expect.equal(
        found,
        [right(*case) for case in cases],
        f"for [C, multiple] = {[list(case) for case in cases]}",
        known=[([slip(*case) for case in cases], fault) for fault, slip in slips.items()],
    )


@hidden_width.property("it gives the width of two real models")
def real_models(call, draw):
    """Llama's first sizes, and SmolLM2-135M."""
    compare(call, [(4096, 256), (576, 64)])


@hidden_width.property("it is the smallest multiple with as many parameters as the plain part")
def is_smallest(call, draw):
    """In half of these cases the nearest multiple is below, in half above."""
    compare(call, [(4, 1), (5, 1), (6, 16), (100, 64), (96, 100), (96, 150)])
    compare(call, [(pick(draw, 20, 400), pick(draw, 3, 40)) for _ in range(12)])
    compare(call, [(1, 1), (2, 1), (4, 3), (7, 7), (48, 3), (48, 6), (100, 12), (31, 10)])


@hidden_width.property("it holds for every C and multiple from 1 to a million")
def is_any_size(call, draw):
    """A multiple beyond 4C, the smallest numbers and the largest."""
    few = [(2, 16), (1, 256), (pick(draw, 1, 9), pick(draw, 100, 999)), (1, 10**6), (3, 9)]
    compare(call, few)
    large = [(10**6, 10**6), (999_999, 7), (10**6, 1)]
    compare(call, [*large, *((pick(draw, 10**5, 10**6), pick(draw, 9, 10**4)) for _ in range(4))])


@hidden_width.property("where nothing needs rounding, nothing is rounded")
def is_exact(call, draw):
    """8C/3 is a multiple already."""
    compare(call, [(48, 1), (3, 8), (96, 64), (96, 128), (6 * pick(draw, 3, 50), 16)])
