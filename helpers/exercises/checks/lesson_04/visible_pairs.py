"""Exercise 04.1: count before you build."""

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

visible_pairs = Exercise(
    "04.1",
    "visible_pairs",
    title="Count before you build",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    seconds=5,
    hints=(
        "How many keys does query 0 see? And query i?",
        "With a width of 1 the count is the length. From a width of the length on, it is the whole "
        "triangle, length * (length + 1) / 2. For six tokens and width 4 it is 18.",
        "Query i sees min(i + 1, width) keys. Add that up.",
    ),
)


def count(length: int, width: int) -> int:
    """Return the number of pairs: a triangle, then full rows."""
    width = min(width, length)
    return width * (width + 1) // 2 + (length - width) * width


@visible_pairs.property("it is a whole number, and a window of 1 shows each token only itself")
def pairs_form(call, draw):
    """Width 1; no token at all."""
    for length in (1, 3, 6, 0):
        seen = f"for length {length} and width 1"
        known = [(length - 1, "query i sees i + 1 keys: its own is one of them")] * (length > 1)
        fault = "a window of 1 is the token itself"
        expect.equal(expect.whole(call(length, 1), seen), length, seen, fault, known)


@visible_pairs.property("from a width of the length on, it is the whole triangle")
def pairs_triangle(call, draw):
    """Width at the length and beyond."""
    for length in (6, 1, 2, 0, int(torch.randint(10, 90, (), generator=draw))):
        for width in (max(length, 1), length + 1, 3 * length + 1, 10**6):
            expect.equal(
                expect.whole(call(length, width)),
                count(length, length),
                f"for length {length} and width {width}",
                "a width from the length on does not give the causal triangle",
                known=(
                    (length * width, "the first tokens have no past to fill the window"),
                    (count(length - 1, width), "query i sees i + 1 keys: its own is one of them"),
                    (count(length, 1), "what was counted for another width is given again"),
                ),
            )


@visible_pairs.property("it is the number of yeses in the mask, for every width")
def pairs_count(call, draw):
    """Against the mask itself, and for a mask too large to build."""
    drawn = int(torch.randint(7, 12, (), generator=draw))
    sizes = [(length, width) for length in (6, drawn) for width in range(1, length)]
    for length, width in [*sizes, (100_000, 4096), (1_000_000, 333_333)]:
        if length < 100:
            right = int(masks.window(length, width=width).sum())
        else:
            right = count(length, width)
        expect.equal(
            expect.whole(call(length, width)),
            right,
            f"for length {length} and width {width}",
            "it is another number than the mask holds",
            known=(
                (length * width, "the first tokens have no past to fill the window"),
                (count(length, width + 1), "the width counts the token itself as well"),
                (count(length, length), "the window has no effect"),
                (count(length - 1, width), "query i sees i + 1 keys: its own is one of them"),
            ),
            tolerance=0,
        )
