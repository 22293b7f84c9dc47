"""Exercise 00.3: where the numbers are."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

count = Exercise(
    "00.3",
    "count",
    title="Where the numbers are",
    minutes=5,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "A matrix from m to n with a bias has m × n + n numbers. How many such matrices are there, "
        "and from what to what does each lead?",
        "One word more must bring 2 C + 1 numbers: a row of the word table, and a column with its "
        "bias in the last step. One place more brings C. One hidden number more brings 2 C + 1.",
        "V * C + T * C, then 4 * (C * C + C), then C * hidden + hidden and hidden * C + C, then "
        "2 * 2 * C, then C * V + V.",
    ),
)


def total(V, C, T, hidden) -> int:
    """Return the right number."""
    tables = V * C + T * C
    block = 4 * (C * C + C) + (C * hidden + hidden) + (hidden * C + C) + 2 * 2 * C
    return tables + block + C * V + V


def counted(call, V, C, T, hidden) -> int:
    """Return the answer's number."""
    return expect.whole(call(V, C, T, hidden), f"for V, C, T, hidden = {V}, {C}, {T}, {hidden}")


def one_more(call, draw, which: int, right, known=()) -> None:
    """See how many numbers come when one size grows by one."""
    names = ("V", "C", "T", "hidden")
    sizes = torch.randint(3, 20, (4,), generator=draw).tolist()
    more = [size + (place == which) for place, size in enumerate(sizes)]
    C = sizes[1]
    before = counted(call, *sizes)
    if before == counted(call, *(size + 1 for size in sizes)):
        raise Broken("it gives the same number whatever the sizes are", f"{before}")
    expect.equal(
        counted(call, *more) - before,
        right(C),
        f"for {', '.join(names)} = {', '.join(map(str, sizes))}, with one more {names[which]}:",
        f"one more {names[which]} brings the wrong number of numbers",
        [(value(C), sentence) for value, sentence in known],
    )


@count.property("one more word brings a row of C, and a column of C with its bias")
def one_word(call, draw):
    """2 C + 1."""
    known = (
        (lambda C: 2 * C, "the last step has no bias"),
        (lambda C: C, "the word table and the last step are two matrices, and one is missing"),
        (lambda C: C + 1, "the word table is missing"),
    )
    one_more(call, draw, 0, lambda C: 2 * C + 1, known)


@count.property("one more place brings a row of C")
def one_place(call, draw):
    """C."""
    known = (
        (
            lambda C: 0,
            "one more place brings nothing: the place table is missing, or has a fixed number of "
            "rows, or an earlier result is given again",
        ),
    )
    one_more(call, draw, 2, lambda C: C, known)


@count.property("one more hidden number brings two rows of C, and a bias")
def one_hidden(call, draw):
    """2 C + 1."""
    known = (
        (
            lambda C: 0,
            "one more hidden number brings nothing: hidden is not read, or an earlier result is "
            "given again",
        ),
        (lambda C: 2 * C, "the step from C to hidden has no bias"),
        (lambda C: C + 1, "the feed-forward leads to hidden and not back"),
        (lambda C: 2 * C + 2, "the bias of a matrix from m to n has n numbers: see the way back"),
    )
    one_more(call, draw, 3, lambda C: 2 * C + 1, known)


@count.property("together they are right, also for this model: 13,772")
def all_together(call, draw):
    """Other sizes, and the model of the lesson."""
    drawn = [torch.randint(2, 30, (4,), generator=draw).tolist() for _ in range(2)]
    for V, C, T, hidden in ((12, 32, 9, 128), (1, 1, 1, 1), *drawn):
        right = total(V, C, T, hidden)
        known = (
            (right - 4 * C, "the four C × C matrices have no biases"),
            (right - 3 * (C * C + C), "of the four C × C matrices only one is counted"),
            (right - C * C - C, "of the four C × C matrices only three are counted"),
            (right - 2 * C, "two norms of 2 C numbers each: half of them is missing"),
            (right - 4 * C + 128, "the two norms are counted as at C = 32: each has 2 C numbers"),
            (right - 4 * C - C, "the biases of the four matrices and of the way back are missing"),
            (right - C, "the step from hidden back to C has no bias"),
            (right - 4 * C * C - 4 * C, "the four C × C matrices are missing"),
        )
        given = f"for V, C, T, hidden = {V}, {C}, {T}, {hidden}:"
        got = counted(call, V, C, T, hidden)
        expect.equal(got, right, given, "the sum of all parts is another one", known)


@count.property("it counts in whole numbers, however large the sizes are")
def any_size(call, draw):
    """Sizes of large models, and some beyond what a float holds."""
    fault = "with large sizes its last digits are wrong: count in whole numbers, without floats"
    sizes = [(128_256, 4096, 8192, 14_336), (10**17 + 1, 1, 1, 1), (1, 10**9 + 7, 3, 1)]
    sizes += [(1, 3, 10**17 + 1, 1), (3, 1, 1, 10**17 + 1)]
    for V, C, T, hidden in sizes:
        got, right = counted(call, V, C, T, hidden), total(V, C, T, hidden)
        if got != right and abs(got - right) > right / 10**6:
            raise Broken("the count of a large model is far off", f"V = {V}, C = {C}: {got}")
        given = f"for V, C, T, hidden = {V}, {C}, {T}, {hidden}:"
        expect.equal(got, right, given, fault)
