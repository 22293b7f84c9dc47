"""Exercise 12.4: the cheapest split."""

import operator

from helpers.exercises import expect
from helpers.exercises.checks.lesson_12.shared import whole_between
from helpers.exercises.exercise import Broken, Exercise, WrongForm

cheapest_split = Exercise(
    "12.4",
    "cheapest_split",
    title="The cheapest split",
    minutes=15,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "How does the total change when one block moves from the encoder to the decoder? Does "
        "that depend on how many have moved already?",
        "For S much larger than N you must get one encoder block, for N much larger than S one "
        "decoder block. With two blocks there is only [1, 1].",
        "One encoder block: S * 12 * C**2 + S * S * 2 * C. One decoder block: memory S * 2 * C**2, "
        "rows N * 14 * C**2 (two more projections than in an encoder), pairs "
        "(N * (N + 1) // 2 + N * S) * 2 * C. The side whose block costs more gets one.",
    ),
)


def encoder_block(S: int, N: int, C: int) -> int:
    """Return the multiply-adds of one encoder block."""
    return S * 12 * C**2 + S * S * 2 * C


def decoder_block(S: int, N: int, C: int, rows=14, memory=2, pairs=None) -> int:
    """Return those of one decoder block, with what may be counted wrongly."""
    pairs = N * (N + 1) // 2 + N * S if pairs is None else pairs
    return S * memory * C**2 + N * rows * C**2 + pairs * 2 * C


MISCOUNTS = {  # what is wrong -> (one encoder block, one decoder block)
    "the longer sequence alone does not decide: count the work": lambda S, N, C: (S, N),
    "the memory of each decoder block is left out: keys and values of S rows": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, memory=0),
    ),
    "the query and output of cross-attention are left out": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, rows=12),
    ),
    "the memory is made anew for each word, and once is enough": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, memory=2 * N),
    ),
    "the words' pairs with the source are left out": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, pairs=N * (N + 1) // 2),
    ),
    "with a cache word i looks at i words: N (N + 1) / 2 pairs, not N squared": lambda S, N, C: (
        encoder_block(S, N, C),
        decoder_block(S, N, C, pairs=N * N + N * S),
    ),
    "attention is left out": lambda S, N, C: (
        S * 12 * C**2,
        S * 2 * C**2 + N * 14 * C**2,
    ),
    "every source row looks at every other: S squared pairs": lambda S, N, C: (
        S * 12 * C**2 + S * (S + 1) // 2 * 2 * C,
        decoder_block(S, N, C),
    ),
    "without a cache the whole text passes at each word, and here there is one": lambda S, N, C: (
        encoder_block(S, N, C),
        S * 2 * C**2
        + N * (N + 1) // 2 * 14 * C**2
        + (N * (N + 1) * (2 * N + 1) // 6 + N * (N + 1) // 2 * S) * 2 * C,
    ),
}


def right_blocks(S: int, N: int, C: int) -> tuple[int, int]:
    """Return the multiply-adds of one encoder block and of one decoder block."""
    return encoder_block(S, N, C), decoder_block(S, N, C)


# S, N, C at which a block costs the same on either side
TIES = ((25, 18, 4), (99, 72, 5), (107, 78, 2))


def choice(blocks: int, costs: tuple) -> list[int]:
    """Return the split, one encoder block at a tie."""
    return [1, blocks - 1] if costs[0] >= costs[1] else [blocks - 1, 1]


def border(costs, S: int, C: int) -> int:
    """Return the smallest N for which a decoder block costs more than an encoder block."""
    low, high = 0, 1
    while costs(S, high, C)[0] >= costs(S, high, C)[1]:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        if costs(S, middle, C)[0] >= costs(S, middle, C)[1]:
            low = middle
        else:
            high = middle
    return high


@cheapest_split.property("it is a pair of whole numbers, each 1 or more, together all blocks")
def split_form(call, draw):
    """Two blocks and more."""
    for blocks in (2, 3, 12):
        for S, N in ((40, 5), (5, 40)):
            seen = f"for blocks = {blocks}, S = {S}, N = {N}, C = 8"
            found = expect.wholes(call(blocks, S, N, 8), 2, seen)
            if min(found) < 1:
                raise WrongForm("one side has no block, and each needs at least one", seen)
            if sum(found) != blocks:
                raise WrongForm("the two do not add up to all blocks", f"{seen} it gives {found}")


@cheapest_split.property("few blocks stand where the rows are many")
def split_extremes(call, draw):
    """S much larger than N, and the reverse."""
    many, blocks = whole_between(draw, 2000, 4000), whole_between(draw, 5, 12)
    for S, N, right in ((many, 5, [1, blocks - 1]), (5, many, [blocks - 1, 1])):
        expect.equal(
            expect.wholes(call(blocks, S, N, 64), 2),
            right,
            f"for blocks = {blocks}, S = {S:,}, N = {N:,}, C = 64:",
            fault="for very unequal lengths it is neither end of the scale",
            known=((right[::-1], "most blocks stand where most rows are: that costs most"),),
        )


@cheapest_split.property("near the border, where one row decides, the exact work decides")
def split_border(call, draw):
    """Ask on both sides of the right border and of those of known miscounts."""
    cases = []
    for C in (4, 8, 16, 64):
        S = whole_between(draw, 150, 400)
        exact = border(right_blocks, S, C)
        for N in (exact - 1, exact, *(border(rule, S, C) for rule in MISCOUNTS.values())):
            cases.append((whole_between(draw, 4, 9), S, max(N, 1), C))
    for _ in range(30):
        S, C = whole_between(draw, 300, 900), whole_between(draw, 2, 6)
        N = border(right_blocks, S, C)
        cases += [(5, S, N - 1, C), (5, S, N, C)]
    found = [expect.wholes(call(*case), 2) for case in cases]
    right = [choice(case[0], right_blocks(*case[1:])) for case in cases]
    if found == right:
        return
    fault = "another split needs fewer multiply-adds"
    for sentence, rule in MISCOUNTS.items():
        if found == [choice(case[0], rule(*case[1:])) for case in cases]:
            fault = sentence
    number = next(i for i, pair in enumerate(zip(found, right, strict=True)) if pair[0] != pair[1])
    blocks, S, N, C = cases[number]
    costs = right_blocks(S, N, C)
    work = [sum(map(operator.mul, split[number], costs)) for split in (found, right)]
    raise Broken(
        fault,
        f"for blocks = {blocks}, S = {S}, N = {N}, C = {C} it gives {found[number]}, "
        f"{work[0]:,} multiply-adds; {right[number]} needs {work[1]:,}",
    )


@cheapest_split.property("where all splits cost the same, the encoder gets one block")
def split_tie(call, draw):
    """Sizes at which a block costs the same on either side."""
    blocks = whole_between(draw, 3, 9)
    few, many = [1, blocks - 1], [blocks - 1, 1]
    for S, N, C in TIES:
        for near, right in ((N - 1, few), (N + 1, many)):
            if expect.wholes(call(blocks, S, near, C), 2) != right:
                raise Broken(
                    "beside a tie it is wrong too, so mend the counts first",
                    f"for blocks = {blocks}, S = {S}, N = {near}, C = {C}",
                )
    for S, N, C in TIES:
        expect.equal(
            expect.wholes(call(blocks, S, N, C), 2),
            few,
            f"for blocks = {blocks}, S = {S}, N = {N}, C = {C}:",
            fault="at a tie it is not the split with one encoder block",
        )
