"""Exercise 18.1: the most frequent pair."""

from collections import Counter
from itertools import pairwise

import torch

from helpers.exercises import expect
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

most_frequent_pair = Exercise(
    "18.1",
    "most_frequent_pair",
    title="The most frequent pair",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "A row of n ids has n - 1 pairs of neighbours. Which function of zip or itertools gives "
        "them all?",
        "[5, 5, 5] has the pair [5, 5] twice. [1, 2] and [2, 1] are two pairs. In [3, 4, 1, 2] all "
        "three pairs come once, so the right answer is [3, 4].",
        "counts = Counter(zip(row, row[1:])); max(counts, key=counts.get) takes the first of the "
        "most frequent ones, in the order in which they were counted. Return it as a list.",
    ),
)


def counted(pairs) -> list[int]:
    """Return the most frequent of some pairs, the first of equal ones."""
    counts = Counter(pairs)
    return list(max(counts, key=counts.get))


def without_overlap(row: list[int]) -> list[tuple[int, int]]:
    """Return the pairs of a row when none may share an id with the one before it."""
    pairs, place = [], 0
    while place < len(row) - 1:
        pairs.append((row[place], row[place + 1]))
        same = place + 2 < len(row) and row[place] == row[place + 1] == row[place + 2]
        place += 2 if same else 1
    return pairs


def smaller(row: list[int]) -> list[int]:
    """Return the most frequent pair, of equal ones that of the smaller ids."""
    counts = Counter(pairwise(row))
    return list(min(counts, key=lambda pair: (-counts[pair], pair)))


SMALLER = {"of equally frequent pairs the smaller ids win: take the one that is met first": smaller}
TIES = [([9, 8, 2, 1],), ([256, 97, 98, 100, 256, 97, 98, 97, 99],), ([7, 7, 7, 8, 9, 8, 9],)]


def compare(call, row: list[int]) -> None:
    """Compare the pair, and name the known slips."""
    seen = f"for {show(row)}"
    got = expect.wholes(call(row), 2, seen)
    if got != counted(pairwise(row)) and (fault := slip_of(call, TIES, SMALLER)):
        raise Broken(fault, f"{seen} it gives {got}, right is {counted(pairwise(row))}")
    counts = Counter(pairwise(row))
    most = max(counts.values())
    equal = [list(pair) for pair in counts if counts[pair] == most]
    every_second = counted(zip(row[::2], row[1::2], strict=False))
    unordered = counted(tuple(sorted(pair)) for pair in pairwise(row))
    known = (
        (every_second, "only every second pair is looked at"),
        (counted(without_overlap(row)), "pairs that overlap count each"),
        (unordered, "a pair and its reverse are counted as one"),
        (list(min(counts, key=counts.get)), "it is the rarest pair"),
        ([n for n, _ in Counter(row).most_common(2)], "ids are counted, not pairs"),
        *((pair, "of equally frequent pairs not the first is taken") for pair in equal[1:]),
    )
    expect.equal(got, equal[0], f"{seen},", "it is not the pair that comes most often", known)


@most_frequent_pair.property("it is a list of two ids that stand next to one another")
def most_frequent_form(call, draw):
    """The classic row."""
    expect.wholes(call(list(b"aaabdaaabac")), 2, "for the bytes of aaabdaaabac")


@most_frequent_pair.property("the pair comes most often")
def most_frequent_value(call, draw):
    """Rows in which the usual slips differ, and drawn ones."""
    # on the first row each slip gives another pair
    for row in ([1, 4, 3, 1, 3, 1, 4, 4, 4, 4], [4, 1, 2, 3, 1, 2], [7, 7, 7, 8, 9, 8, 9, 8, 9]):
        compare(call, row)
    for length in (8, 30):
        compare(call, torch.randint(0, 4, (length,), generator=draw).tolist())
    compare(call, [258, 97])


@most_frequent_pair.property("of equally frequent pairs the one met first is taken")
def most_frequent_ties(call, draw):
    """C53: larger ids first, and a tie that is met again later."""
    compare(call, [4, 4, 4, 1, 2, 3, 1, 1, 2, 3, 1, 3])  # each slip gives another pair here too
    for row in ([9, 8, 2, 1], [256, 97, 98, 100, 256, 97, 98, 97, 99], [5, 6, 1, 2, 1, 2, 5, 6]):
        compare(call, row)


@most_frequent_pair.property("ids are numbers of any size, not digits and not bytes")
def most_frequent_ids(call, draw):
    """Pairs that look alike when they are written in a row, and ids beyond 255."""
    for row, fault in (
        ([1, 2, 1, 2, 11, 1, 9, 1, 11, 8, 1, 11], "ids are joined as digits: 1, 11 is not 11, 1"),
        ([0, 257], "an id beyond 255 does not fit into the number that a pair is made"),
        (
            [70_000, 3, 70_000, 3],
            "an id beyond 255 does not fit into the number that a pair is made",
        ),
    ):
        got = expect.wholes(call(row), 2, f"for {row}")
        expect.equal(got, counted(pairwise(row)), f"for {row}:", fault)
