"""Exercise 18.2: one merge."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise
from helpers.exercises.plain import show
from helpers.tokenizers.bpe import merge

merge_pair = Exercise(
    "18.2",
    "merge_pair",
    title="One merge",
    minutes=5,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Walk through the row with a place. At each place there are two cases: how far do you go "
        "on in each?",
        "[1, 1, 1] with the pair [1, 1] gives [9, 1], from the left. The last id has no neighbour "
        "behind it, and must not get lost.",
        "while place < len(row): if row[place : place + 2] == pair, append new and go on by 2; "
        "else append row[place] and go on by 1.",
    ),
)


def first_only(row: list[int], pair: list[int], new: int) -> list[int]:
    """Return the row with one occurrence merged."""
    for place in range(len(row) - 1):
        if row[place : place + 2] == pair:
            return [*row[:place], new, *row[place + 2 :]]
    return row


def overlapping(row: list[int], pair: list[int], new: int) -> list[int]:
    """Return the row with an id used twice where occurrences overlap."""
    merged, place = [], 0
    while place < len(row):
        if row[place : place + 2] == pair:
            merged.append(new)
            place += 1 if row[place + 1 : place + 3] == pair else 2
        else:
            merged.append(row[place])
            place += 1
    return merged


def compare(call, row: list[int], pair: list[int], new: int) -> None:
    """Compare the merged row, and name the known slips."""
    seen = f"for {show(row)}, the pair {pair} and the new id {new}"
    got = expect.wholes(call(row, pair, new), seen=seen)
    right = merge(row, tuple(pair), new)
    known = (
        (row, "nothing is merged"),
        (right[:-1], "the last id of the row is lost"),
        (first_only(row, pair, new), "only the first occurrence is merged"),
        (merge(row[::-1], tuple(pair[::-1]), new)[::-1], "merging goes from the right"),
        (overlapping(row, pair, new), "an id is used for two products"),
        (merge(row, tuple(pair[::-1]), new), "the pair is merged in its reverse order"),
        ([new if n in pair else n for n in row], "ids of the pair are replaced one by one"),
    )
    expect.equal(got, right, f"{seen},", "the row is not merged rightly", known)


@merge_pair.property("each occurrence of the pair becomes the new id")
def merge_values(call, draw):
    """Occurrences at both ends, reversed pairs, single ids of the pair, drawn rows."""
    compare(call, [3, 1, 2, 2, 1, 3, 1, 2, 1], [1, 2], 256)  # each slip gives another row
    for row in ([1, 2, 3, 1, 2], [2, 1, 2, 1, 2, 1], [1, 2], [2, 2, 1, 1]):
        compare(call, row, [1, 2], 256)
    for _ in range(3):
        compare(call, torch.randint(1, 4, (20,), generator=draw).tolist(), [2, 3], 300)


@merge_pair.property("where occurrences overlap, the left one is merged")
def merge_overlaps(call, draw):
    """Runs of one id, of odd and even length."""
    for row in ([5, 1, 1, 1, 5, 1, 1], [1, 1, 1], [1, 1, 1, 1], [5, 1, 1, 1, 1, 1, 5], [1] * 9):
        compare(call, row, [1, 1], 256)


@merge_pair.property("ids are numbers, not digits")
def merge_digits(call, draw):
    """Numbers that end or begin like the pair's."""
    for row in ([11, 2], [1, 22], [11, 2, 1, 2, 12, 1, 21]):
        got = expect.wholes(call(row, [1, 2], 9), seen=f"for {row}")
        fault = "the pair is found inside of longer numbers"
        expect.equal(got, merge(row, (1, 2), 9), f"for {row}, the pair [1, 2]:", fault)


@merge_pair.property("a row without the pair stays as it is")
def merge_none(call, draw):
    """Empty, one id, the two halves apart."""
    for row in ([], [1], [2], [1, 3, 2], [2, 1], [3, 1]):
        seen = f"for {show(row)}, the pair [1, 2] and the new id 256,"
        got = expect.wholes(call(row, [1, 2], 256), seen=seen)
        expect.equal(got, row, seen, "a row that does not hold the pair comes back changed")
