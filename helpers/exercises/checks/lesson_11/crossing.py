"""Exercise 11.2: the crossing."""

import math

from helpers.exercises import expect
from helpers.exercises.checks.lesson_11.shared import between, whole_between
from helpers.exercises.exercise import Broken, Exercise

crossing = Exercise(
    "11.2",
    "crossing",
    title="The crossing",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "How long does one row take? And how often does that fit into the overhead?",
        "Put your answer B back: B rows must take longer than the overhead, and B - 1 rows must "
        "not. With no overhead at all one row is enough.",
        "row = price * (4 * width**2 + 2 * width * hidden) is the time of one row. The number you "
        "want is the next whole number above overhead / row, also when that is whole itself: "
        "math.floor(...) + 1.",
    ),
)


def row_work(width: int, hidden: int) -> int:
    """Return the multiply-adds of one row in one block, without attention."""
    return 4 * width**2 + 2 * width * hidden


@crossing.property("it is a whole number, 1 or more")
def crossing_form(call, draw):
    """Also without overhead."""
    for overhead in (0.0, 0.003):
        rows = expect.whole(call(overhead, 1e-9, 8, 24), f"for an overhead of {overhead}")
        if rows < 1:
            raise Broken(
                "it gives no row at all, and no rows take no time", f"for an overhead of {overhead}"
            )


@crossing.property("so many rows take longer than the overhead, and one fewer does not")
def crossing_rows(call, draw):
    """Drawn models, with the overhead clearly between two numbers of rows."""
    for share in (0.3, 0.7, 0.5):
        width, hidden = 4 * whole_between(draw, 2, 40), 4 * whole_between(draw, 50, 90)
        price = between(draw, 1, 9) * 1e-10
        before = whole_between(draw, 20, 400)
        row = row_work(width, hidden)
        overhead = (before + share) * row * price

        def right(work, overhead=overhead, price=price):
            return math.floor(overhead / (work * price)) + 1

        expect.equal(
            expect.whole(call(overhead, price, width, hidden)),
            before + 1,
            f"for overhead {overhead:.4g}, price {price:.4g}, width {width}, hidden {hidden}:",
            fault="it is not the number of rows where the work overtakes the overhead",
            known=(
                (before, "with so many rows the work is still below the overhead: round up"),
                (right(row - 2 * width**2), "a row has four projections of width x width"),
                (right(row - 3 * width**2), "one projection is counted where there are four"),
                (
                    right(row - width * hidden),
                    "the feed-forward goes in and out again: two products",
                ),
                (right(4 * width**2), "the feed-forward is left out"),
                (right(2 * width * hidden), "the four projections are left out"),
                (right(12 * width**2), "hidden is given; it need not be four times the width"),
            ),
        )


@crossing.property("rows that take exactly as long as the overhead do not take longer")
def crossing_tie(call, draw):
    """Powers of two, so that rounding plays no part."""
    for width, hidden in ((8, 24), (16, 40)):
        rows = whole_between(draw, 2, 30)
        row = row_work(width, hidden) * 2.0**-30
        seen = f"for width {width}, hidden {hidden} and an overhead of exactly {rows} rows"
        half = expect.whole(call((rows - 0.5) * row, 2.0**-30, width, hidden), seen)
        if half != rows:
            raise Broken(
                "half a row below a tie it is wrong too",
                f"{seen} less a half it gives {half}, right is {rows}",
            )
        expect.equal(
            expect.whole(call(rows * row, 2.0**-30, width, hidden)),
            rows + 1,
            seen,
            fault="at a tie it is wrong: the next row is the first that takes longer",
        )


@crossing.property("it finds large crossings, and close ones, exactly")
def crossing_large(call, draw):
    """A hundred thousand rows; an overhead that is a little less than a number of rows."""
    for rows in (31_250, 10**5 + whole_between(draw, 1, 999)):
        found = expect.whole(call(rows * 32.0, 1.0, 2, 4), f"for an overhead of {rows} rows")
        seen = f"for an overhead of exactly {rows} rows:"
        expect.equal(found, rows + 1, seen, "a crossing at many rows is missed")
    rows = whole_between(draw, 2, 30)
    overhead = rows * 32 - 2.0**-7  # exact
    expect.equal(
        expect.whole(call(overhead, 1.0, 2, 4), f"for an overhead a little below {rows} rows"),
        rows,
        f"for an overhead of {overhead} where {rows} rows take {rows * 32}:",
        "work that takes longer by a little does not count as longer",
    )
    tiny = expect.whole(call(2.0**-22, 2.0**-30, 2, 4), "for an overhead of 0.24 microseconds")
    fault = "a tiny overhead is rounded away"
    expect.equal(tiny, 9, "for an overhead of exactly 8 rows, 0.24 microseconds:", fault)
