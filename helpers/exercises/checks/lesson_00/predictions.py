"""Exercise 00.4: every row predicts."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

predictions = Exercise(
    "00.4",
    "predictions",
    title="Every row predicts",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Row t answers the question: what comes after token t? So one answer for each row, not "
        "one for the table.",
        "Adding a number to all logits of a row must change nothing, also if all of them become "
        "negative. For the row [2, 7, 7] the answer is 1: the lowest id of the largest.",
        "For each row: row.index(max(row)). Collect these in a list.",
    ),
)


def ids_of(call, table: list[list[float]]) -> list[int]:
    """Return the answer's ids, one a row."""
    return expect.wholes(call(table), len(table), f"for {show(table)}")


def whole_table(draw, T: int, V: int) -> list[list[float]]:
    """Return T rows of V different whole numbers, as floats."""
    rows = [torch.randperm(3 * V, generator=draw)[:V] - V for _ in range(T)]
    return [row.double().tolist() for row in rows]


@predictions.property("it returns one id for each row")
def one_a_row(call, draw):
    """Form, for more rows than words and fewer."""
    for T, V in ((3, 5), (5, 3), (1, 2), (2, 1)):
        ids_of(call, whole_table(draw, T, V))


@predictions.property("the id of a row is the place of its largest logit")
def likeliest(call, draw):
    """Different numbers in each row."""
    tables = [[[-9.0, 3.0, 2.0], [1.0, -7.0, 8.0]]]  # on this one all known faults differ
    tables += [whole_table(draw, T, V) for T, V in ((3, 5), (4, 4), (5, 3), (4, 12))]
    for table in tables:
        T, V = len(table), len(table[0])
        known = (
            (
                [row.index(min(row)) for row in table],
                "it gives the unlikeliest word of each row",
            ),
            (
                [int(max(row)) for row in table],
                "it gives the largest logit itself, not its place",
            ),
            (
                [row.index(max(row)) + 1 for row in table],
                "it counts from 1: the first word of the vocabulary has id 0",
            ),
            (
                [max(range(V), key=lambda i, row=row: abs(row[i])) for row in table],
                "it takes the number that is farthest from 0: a negative logit is a low one",
            ),
            (
                [table[-1].index(max(table[-1]))] * T,
                "every row got the answer of the last one",
            ),
            (
                [max(range(T), key=lambda t, i=i: table[t][i]) for i in range(min(T, V))],
                "it goes down the columns: each row has an answer of its own",
            ),
        )
        right = [row.index(max(row)) for row in table]
        expect.equal(ids_of(call, table), right, f"for {show(table)}:", known=known)


@predictions.property("where several are equally likely, it is the lowest of their ids")
def lowest(call, draw):
    """Ties."""
    table = [[2.0, 7.0, 7.0], [5.0, 5.0, 5.0], [1.0, -3.0, 1.0], [0.0, 1.0, 1.0]]
    known = (([2, 2, 2, 2], "of several ids that are equally likely it gives the highest"),)
    fault = "a row with several likeliest ids gets another one than the lowest"
    expect.equal(ids_of(call, table), [1, 0, 0, 1], f"for {show(table)}:", fault, known)


@predictions.property("logits of any size are compared: none is too low, too high or too close")
def any_size(call, draw):
    """As far as float32 reaches; one unit apart at 16 million; and a single one."""
    powers = "very low or very high logits look equal: powers of e become 0 or overflow there"
    begins = "a row of logits far below 0 goes wrong: where does the search begin?"
    close = "two logits that differ look equal: is something rounded, or called nearly equal?"
    for table, fault in (
        ([[999.0, 1000.0], [0.0, 750.0], [1000.0, 0.0]], powers),
        ([[-1000.0, -999.0], [-999.0, -1000.0], [-800.0, -750.0]], begins),
        ([[-3e6, -2e6]], begins),
        ([[-3e38, -2e38], [-2e38, -3e38], [-3e38, 3e38]], begins),
        ([[16_777_214.0, 16_777_215.0]], close),
        ([[0.5, 0.502], [-0.002, 0.0]], close),
        ([[-5.0]], "a row of a single logit gets another id than 0"),
    ):
        table = torch.tensor(table).tolist()  # float32 holds them, as stated
        given = f"for {show(table, digits=9)}"
        if call.error(table):
            raise Broken(fault, given)
        right = [row.index(max(row)) for row in table]
        expect.equal(ids_of(call, table), right, f"{given}:", fault)


@predictions.property("a long table is like a short one")
def long_table(call, draw):
    """A hundred rows of fifty words, the largest logit at any place."""
    table = whole_table(draw, 100, 50)
    right = [row.index(max(row)) for row in table]
    fault = "in a table of 100 rows of 50 logits some answers are wrong"
    got = ids_of(call, table)
    row = next((t for t in range(100) if got[t] != right[t]), 0)
    expect.equal(got[row], right[row], f"in row {row}", fault)


@predictions.property("the same number added to all logits of a row changes nothing")
def shifted(call, draw):
    """Upwards, downwards, and another number for each row."""
    table = whole_table(draw, 4, 5)
    before = ids_of(call, table)
    for added in ([100] * 4, [7, 20, 50, 3], [-100] * 4):
        moved = [[z + plus for z in row] for row, plus in zip(table, added, strict=True)]
        after = ids_of(call, moved)
        if after != before:
            row = next(t for t in range(4) if after[t] != before[t])
            fault = "a number added to a whole row changes its answer"
            if added[0] < 0 and after == [0] * 4:
                fault = (
                    "where all logits are below 0 it goes wrong: the best so far begins too high"
                )
            raise Broken(
                fault,
                f"row {show(table[row])} gives {before[row]}, with {added[row]} added "
                f"it gives {after[row]}",
            )
