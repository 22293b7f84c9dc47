"""Exercise 02.2: a short memory."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_02.shared import equal_rows, full_precision, normal
from helpers.exercises.exercise import Broken, Exercise

window_matrix = Exercise(
    "02.2",
    "window_matrix",
    title="A short memory",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The triangle of the lesson hides what comes too late. What hides what came too early?",
        "With width = 1 every row sees only itself. Row 0 is [1, 0, 0, ...] for every width. Near "
        "the beginning fewer than width rows are there, and still the row sums to 1.",
        "torch.ones(length, length).tril() keeps the past, .triu(diagonal=1 - width) the last "
        "width of it. Then divide by band.sum(dim=1, keepdim=True).",
    ),
)


WINDOWS = ((1, 1), (4, 1), (4, 2), (6, 3), (5, 4), (3, 3), (4, 9), (1, 5), (2, 100), (40, 12))


def some_windows(draw: torch.Generator) -> list[tuple[int, int]]:
    """Return (length, width): the fixed ones and two drawn, one with a longer width."""
    length, width, shorter = torch.randint(7, 40, (3,), generator=draw).tolist()
    return [*WINDOWS, (length, 1 + width % length), (shorter, shorter + width)]


def band(length: int, first: int, last: int) -> torch.Tensor:
    """Return 1 where a column is from first to last places before its row, [T, T]."""
    row = torch.arange(length)[:, None]
    before = row - torch.arange(length)
    return ((before >= first) & (before <= last)).double()


@window_matrix.property("it is a square of weights, one row for each row of x")
def square(call, draw):
    """[T, T]."""
    for length, width in some_windows(draw):
        seen = f"for length {length}, width {width}"
        if width > length and (error := call.error(length, width)):
            raise Broken("a width beyond the length breaks it", f"{seen} it raised {error}")
        value = call(length, width)
        full_precision(value, seen)
        expect.tensor(value, (length, length), seen=seen)


@window_matrix.property("nothing stands above the diagonal")
def no_future(call, draw):
    """No weight on a later row."""
    for length, width in some_windows(draw):
        W = expect.tensor(call(length, width), (length, length))
        if (W.triu(1).abs() > 1e-6).any():
            t, s = (W.triu(1).abs() > 1e-6).nonzero()[0].tolist()
            raise Broken(
                "a row takes from a later row",
                f"for length {length}, width {width}: row {t} takes {W[t, s]:.3g} from row {s}",
            )


@window_matrix.property("outside the window all weights are exactly 0")
def exactly_nothing(call, draw):
    """What is hidden by a finite number leaves a trace."""
    for length, width in some_windows(draw):
        W = expect.tensor(call(length, width), (length, length))
        traces = (W != 0) & (W.abs() < 1e-4) & (band(length, 0, width - 1) == 0)
        if traces.any():
            t, s = traces.nonzero()[0].tolist()
            raise Broken(
                "a little weight is left outside the window: only minus infinity hides fully",
                f"for length {length}, width {width}: row {t} takes {W[t, s]:.3g} from row {s}",
            )


@window_matrix.property("each row sums to 1, near the beginning too")
def rows_sum_to_one(call, draw):
    """Row sums."""
    for length, width in some_windows(draw):
        W = expect.tensor(call(length, width), (length, length))
        sums = W.sum(dim=1)
        if expect.close(sums, torch.ones(length)):
            continue
        row = int(((sums - 1).abs() > 1e-5).nonzero()[0])
        fault = "a row does not sum to 1"
        if row < width - 1:
            fault = (
                "a row does not sum to 1: near the beginning the window holds fewer rows than width"
            )
        if expect.close(W.sum(dim=0), torch.ones(length)):
            fault = "the columns sum to 1 instead of the rows"
        raise Broken(
            fault, f"for length {length}, width {width}: row {row} sums to {sums[row]:.4g}"
        )


@window_matrix.property("row t is the average of the last `width` rows up to t")
def window_values(call, draw):
    """Compare, and name the known slips."""
    for length, width in some_windows(draw):
        seen = f"for length {length}, width {width}:"
        right = normal(band(length, 0, width - 1))
        got = expect.tensor(call(length, width), (length, length))
        inside = expect.close((got != 0).double(), (right != 0).double())
        equal_rows(
            got,
            right,
            seen,
            "the rows in the window do not count alike"
            if inside and expect.close(got.sum(dim=1), torch.ones(length))
            else "the weights are not those of an average over the window",
            known=(
                (normal(band(length, 0, width)), "the window is one row too wide"),
                (normal(band(length, 0, max(0, width - 2))), "the window is one row too narrow"),
                (normal(band(length, 0, length)), "it averages the whole past, not the window"),
            ),
        )
