"""Exercise 05.1: count by formula."""

from itertools import pairwise

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=draw))


parameter_count = Exercise(
    "05.1",
    "parameter_count",
    title="Count by formula",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Go through the map from left to right: two tables, the blocks, one projection. Which of "
        "them has a bias?",
        "With no block at all only V·C + T·C + (C·V + V) is left. One block more adds 12,704 where "
        "C is 32.",
        "One block is 12 C² + 13 C. Around it stand two tables and a projection with a bias.",
    ),
)


NONE = "without a block it counts one all the same"
ONE = "it counts one block, however many there are"
AROUND = "the tables and the projection stand around the blocks: they are counted once"


def count(V: int, T: int, C: int, blocks: int) -> int:
    """Return the number of parameters of the lesson's decoder."""
    return V * C + T * C + blocks * (12 * C * C + 13 * C) + C * V + V


def miscounts(V: int, T: int, C: int, blocks: int) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    right = count(V, T, C, blocks)
    return [
        (right - blocks * 9 * C - V, "it counts no bias at all"),
        (right - blocks * 9 * C, "it counts the matrices inside the block without their biases"),
        (right - V + 12, "the projection's bias has a number for each word, not always 12"),
        (right - V, "the vocabulary projection has a bias too, one number a word"),
        (right - T * C, "the table of positions is missing"),
        (right - C * V, "this decoder is untied: the projection has a matrix of its own"),
        (right - C * V - V, "the projection to the vocabulary is missing"),
        (right - blocks * 4 * C, "the two LayerNorms of a block are missing"),
        (right - blocks * 2 * C, "a LayerNorm has two numbers a column: scale and shift"),
        (right + 2 * C, "this decoder has no final norm"),
        (right - blocks * (C * C + C), "attention has four matrices: the output projection too"),
        (right - blocks * 4 * C * C, "the feed-forward part has two matrices, out to 4C and back"),
        (count(V, T, C, 1), ONE if blocks else NONE),
        (blocks * count(V, T, C, 1), AROUND),
    ]


def missteps(V: int, T: int, C: int) -> list[tuple[list[int], str]]:
    """Return the steps from 0 to 3 blocks that known slips give, each with its name."""
    block = 12 * C * C + 13 * C
    return [
        ([count(V, T, C, 1)] * 3, AROUND),
        ([0, block, block], NONE),
        ([block, block - 4 * C, block - 4 * C], "the norms are counted once: each block has two"),
        (
            [block, block + 2 * C, block],
            "this decoder has no final norm, with any number of blocks",
        ),
        (
            [block + 2 * C, block, block],
            "this decoder has no final norm, with any number of blocks",
        ),
    ]


@parameter_count.property("it gives 13,772 for the lesson's model")
def lessons_model(call, draw):
    """The number of the lesson."""
    found = expect.whole(call(12, 9, 32, 1), "for V = 12, T = 9, C = 32 and 1 block")
    expect.equal(found, 13_772, "for V = 12, T = 9, C = 32 and 1 block")


@parameter_count.property("every further block adds 12 C² + 13 C")
def every_block(call, draw):
    """Differences between numbers of blocks."""
    V, T = pick(draw, 5, 9), pick(draw, 12, 16)
    # 32 first: a step that is right there alone was not made from C
    for C in (32, 4, 20, 64, 4 * pick(draw, 9, 15)):
        found = [expect.whole(call(V, T, C, blocks)) for blocks in range(4)]
        steps = [b - a for a, b in pairwise(found)]
        fault = "a block more or less does not change the count by one block"
        if C != 32:
            fault = "the step from block to block is right for C = 32 only: make it from C"
        expect.equal(
            steps,
            [12 * C * C + 13 * C] * 3,
            f"for V = {V}, T = {T}, C = {C} and 0, 1, 2, 3 blocks the steps between counts:",
            fault,
            known=missteps(V, T, C),
        )


@parameter_count.property("it gives every decoder of this kind its number")
def any_size(call, draw):
    """Other sizes, the smallest and huge ones, and the known slips by name."""
    sizes = [(pick(draw, 5, 9), pick(draw, 12, 16), 4 * pick(draw, 5, 9), n) for n in (3, 0)]
    for V, T, C, blocks in (*sizes, (1, 1, 1, 1), (50_257, 1024, 768, 120)):
        expect.equal(
            expect.whole(call(V, T, C, blocks)),
            count(V, T, C, blocks),
            f"for V = {V}, T = {T}, C = {C} and {blocks} blocks",
            known=miscounts(V, T, C, blocks),
        )
    already = "it is wrong for small sizes already: mend that first"
    for V, T, C, blocks in ((9, 16, 32, 3), (10**9 + 1, 10**6, 10**8 + 1, 3)):
        expect.equal(
            expect.whole(call(V, T, C, blocks)),
            count(V, T, C, blocks),
            f"for V = {V}, T = {T}, C = {C} and {blocks} blocks",
            already if V == 9 else "a huge count is off: floating-point numbers lose digits",
        )
