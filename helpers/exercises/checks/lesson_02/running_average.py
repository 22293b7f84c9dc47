"""Exercise 02.3: one row at a time."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_02.shared import equal_rows
from helpers.exercises.exercise import Broken, Exercise

running_average = Exercise(
    "02.3",
    "running_average",
    title="One row at a time",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "If you know the sum of rows 0 to t - 1, how much work is the sum of rows 0 to t?",
        "Row 0 of the result is x[0]. For a constant x the result is x. And a row must not care "
        "what comes later, not even if that is infinite: 0 times infinity is NaN, so a matrix "
        "with zeros cares.",
        "total = torch.zeros(x.shape[1]), an empty list of rows. For t, row in enumerate(x): "
        "total = total + row, and append total / (t + 1). At the end torch.stack(rows).",
    ),
)


def some_rows(draw: torch.Generator) -> list[torch.Tensor]:
    """Return tensors [T, C], T = 1 among them."""
    shapes = ((1, 3), (4, 2), (7, 5), (40, 1))
    return [torch.randn(shape, generator=draw) for shape in shapes]


@running_average.property("it gives one row for each row of x, and row 0 is x[0]")
def first_row(call, draw):
    """The form, and a mean of one thing."""
    for x in some_rows(draw):
        T, C = x.shape
        got = expect.tensor(call(x), (T, C), seen=f"for T = {T}, C = {C}", infinite=True)
        expect.equal(
            got[0],
            x[0].double(),
            f"for T = {T}, C = {C}:",
            "row 0 is not x[0], though the average of one row is this row",
        )


@running_average.property("row t is the mean of rows 0 to t")
def means(call, draw):
    """Compare, and name the known slips."""
    for x in some_rows(draw):
        T, C = x.shape
        x = x + 0.5  # so that the mean of all is not near 0
        sums = x.double().cumsum(dim=0)
        counts = torch.arange(1, T + 1)[:, None]
        right = sums / counts
        halves = [x[0].double()]
        for row in x[1:]:
            halves.append((halves[-1] + row.double()) / 2)
        before = torch.cat([x[:1].double(), right[:-1]])
        equal_rows(
            expect.tensor(call(x), (T, C), infinite=True),
            right,
            f"for T = {T}, C = {C}:",
            "a row is not the mean of the rows up to it",
            known=(
                (sums, "these are sums: divide by the number of rows so far"),
                (sums / T, "it divides by the number of all rows, not of the rows so far"),
                (sums / (counts - 1), "it divides by one row too few"),
                (sums / (counts + 1), "it divides by one row too many"),
                (before, "row t itself is missing in its average"),
                (torch.stack(halves), "old rows fade: the average so far is no single row"),
                (
                    right[-1].expand(T, C),
                    "all rows are the last one: the list holds one tensor many times, and a "
                    "change in place changes them all",
                ),
            ),
        )


@running_average.property("a row of zeros is a row")
def zero_rows(call, draw):
    """Zeros first, in the middle and last."""
    x = torch.tensor([[2.0, 1.0], [0.0, 0.0], [4.0, 2.0], [0.0, 0.0]])
    for rows in (x, x[1:]):
        found = expect.tensor(call(rows), rows.shape)
        right = rows.double().cumsum(dim=0) / torch.arange(1, len(rows) + 1)[:, None]
        fault = "rows of zeros are not counted"
        expect.equal(found, right, f"for {rows.tolist()}:", fault)


@running_average.property("no row depends on a later one, not even on an infinite one")
def no_matrix(call, draw):
    """Put infinity into one row: the rows before must stay."""
    x = torch.randn(6, 3, generator=draw)
    before = expect.tensor(call(x), (6, 3), infinite=True)
    for changed in (1, 3, 5):
        other = x.clone()
        other[changed, 1] += 1
        after = expect.tensor(call(other), (6, 3), infinite=True)
        if not expect.close(after[:changed], before[:changed]):
            raise Broken(
                "an earlier row changes with a later one", f"with T = 6, row {changed} was changed"
            )
        other[changed, 1] = math.inf
        after = call(other)
        if not isinstance(after, torch.Tensor) or after.shape != x.shape:
            expect.tensor(after, (6, 3))
        if not expect.close(after[:changed], before[:changed]):
            raise Broken(
                "a row cares for an infinite one that comes later: a matrix multiplies the future "
                "by 0, and 0 times infinity is NaN",
                f"with T = 6, when infinity stood in row {changed}",
            )
        right = other[: changed + 1, ::2].double().mean(dim=0)
        if not expect.close(after[changed, ::2].double(), right):
            raise Broken(
                "one infinity takes the whole row: the other columns have their averages",
                f"with T = 6, when infinity stood in row {changed}, column 1",
            )
        if after[changed, 1] != math.inf:
            raise Broken(
                "the average of a row with infinity in it is finite there, or NaN",
                f"with T = 6, when infinity stood in row {changed}: {after[changed, 1].item():.3g}",
            )


@running_average.property("the average of equal rows is this row, however many they are")
def long_rows(call, draw):
    """T = 300, all rows alike."""
    x = torch.randn(1, 2, generator=draw).repeat(300, 1)
    equal_rows(
        expect.tensor(call(x), (300, 2), infinite=True),
        x.double(),
        "for 300 equal rows:",
        "the average of equal rows is not this row",
        known=[],
    )
