"""Exercise 03.2: the matrix in bytes."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

largest_length = Exercise(
    "03.2",
    "largest_length",
    title="The matrix in bytes",
    minutes=5,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "First the other way round: how many bytes do all matrices of length T take together?",
        "What your function gives must fit, and one more must not. Test it at the edge: with just "
        "the bytes for T = 20, and with one byte less.",
        "All matrices take heads * blocks * bytes_each * T * T bytes. So T * T is at most memory "
        "// (heads * blocks * bytes_each), and math.isqrt gives the whole part of a root without "
        "rounding errors.",
    ),
)


def budgets(draw: torch.Generator) -> list[tuple[int, int, int, int]]:
    """Return (memory, heads, blocks, bytes_each): on the edge, beside it, and drawn ones."""
    found = [(10_000, 3, 5, 4)]
    for _ in range(3):
        # three different numbers, so that the slips differ too
        heads, blocks, size = (torch.randperm(10, generator=draw)[:3] + 3).tolist()
        T = int(torch.randint(20, 400, (), generator=draw))
        exact = heads * blocks * size * T * T
        found += [(exact, heads, blocks, size), (exact - 1, heads, blocks, size)]
        found.append((int(torch.randint(10**6, 10**9, (), generator=draw)), heads, blocks, size))
    return found


def longest(memory: int, each: int) -> int:
    """Return the largest T with each * T * T <= memory."""
    return math.isqrt(memory // each)


def name_length(got: int, memory: int, heads: int, blocks: int, size: int, fault: str) -> None:
    """Raise Broken with the name of the slip that gives such a length, or with fault."""
    each = heads * blocks * size
    whole = math.isqrt(memory)
    known = (
        (longest(memory, blocks * size), "every head has a matrix of its own: count the heads"),
        (longest(memory, heads * size), "every block has matrices of its own: count the blocks"),
        (longest(memory, heads * blocks), "an entry takes more than one byte: use bytes_each"),
        (memory // each, "a matrix has T * T entries, not T"),
        ((math.isqrt(1 + 8 * (memory // each)) - 1) // 2, "the whole matrix is kept, not a half"),
        (round((memory / each) ** 0.5), "the root is rounded to the nearest number, not down"),
        (longest(memory - 1, each), "memory that is filled to the last byte still fits"),
        (whole, "the memory is not divided among the matrices"),
        (whole // math.isqrt(each), "the roots are divided: divide first, then take one root"),
    )
    expect.equal(
        got,
        longest(memory, each),
        f"for {memory} bytes, {heads} heads, {blocks} blocks, {size} bytes an entry",
        fault,
        known,
        tolerance=0,
    )


@largest_length.property("it is a whole number, and 0 where not even one token fits")
def length_form(call, draw):
    """Small memories."""
    for memory in (0, 1):
        seen = f"for {memory} bytes, 2 heads, 3 blocks, 4 bytes an entry"
        got = expect.whole(call(memory, 2, 3, 4), seen)
        expect.equal(got, 0, seen, "where not even one token fits it does not give 0", tolerance=0)


@largest_length.property("the matrices of this length fit")
def length_fits(call, draw):
    """heads * blocks * bytes_each * T * T <= memory."""
    for memory, heads, blocks, size in budgets(draw):
        T = expect.whole(call(memory, heads, blocks, size))
        if heads * blocks * size * T * T > memory:
            name_length(T, memory, heads, blocks, size, "the matrices of this length do not fit")


@largest_length.property("those of one token more do not fit")
def length_next(call, draw):
    """heads * blocks * bytes_each * (T + 1)^2 > memory."""
    for memory, heads, blocks, size in budgets(draw):
        T = expect.whole(call(memory, heads, blocks, size))
        if heads * blocks * size * (T + 1) ** 2 <= memory:
            name_length(T, memory, heads, blocks, size, "a longer one would fit as well")


@largest_length.property("it is exact for memories far beyond any machine")
def length_exact(call, draw):
    """Here a root in floating-point numbers is wrong, and then one in decimals of 28 digits."""
    drawn = int(torch.randint(1, 1000, (), generator=draw))
    for T in (30, 1, 3 * 10**9 + 1, 10**12 + drawn, 10**15 + drawn, 10**25 + drawn):
        for memory, right in ((48 * T * T, T), (48 * T * T - 1, T - 1)):
            got = expect.whole(call(memory, 3, 4, 4))
            fault = "it is wrong for a small memory already: mend that first"
            if T > 30 and abs(got - right) == 1:
                fault = "for a huge memory it is one off: floating-point numbers lose digits"
            elif T > 30:
                fault = "for a huge memory it is far off"
            seen = f"for {memory} bytes, 3 heads, 4 blocks, 4 bytes an entry"
            expect.equal(got, right, seen, fault, tolerance=0)
