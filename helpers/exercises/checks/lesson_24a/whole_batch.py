"""Exercise 24a.4: a batch in parts."""

import torch
from torch import Tensor

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

whole_batch = Exercise(
    "24a.4",
    "whole_batch",
    title="A batch in parts",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "A mean is a sum over a count. Which sum, and which count, belong to the whole batch?",
        "Sums 6 and 2 with counts 2 and 8 make a loss of 8 / 10. The mean of the means would be "
        "(3 + 0.25) / 2. The gradients are gradients of sums: treat them as the sums.",
        "total = sum(counts); loss = sum(sums) / total and gradient = sum of the gradients / "
        "total; where total is 0, both are 0.",
    ),
)


def compare(call, sums: list, counts: list, gradients: list[Tensor], seen: str) -> None:
    """Compare loss and gradient, and name the known slips."""
    if call.error(sums, counts, gradients) == "ZeroDivisionError":
        raise Broken("it divides by a count of 0", seen)
    found = expect.table(call(sums, counts, gradients), ("loss", "gradient"), seen)
    filled = [i for i, n in enumerate(counts) if n]
    total, parts = max(1, sum(counts)), len(counts)
    ways = {
        "it is a mean of means: parts of few targets count too much": lambda x: (
            sum(x[i] / counts[i] for i in filled) / max(1, len(filled))
        ),
        "it is a mean of means, over parts without targets too": lambda x: (
            sum(x[i] / counts[i] for i in filled) / parts
        ),
        "it divides by the number of parts, not of targets": lambda x: sum(x) / parts,
        "the sum is not divided by the count": sum,
        "only the last part is there: the others were forgotten": lambda x: (
            x[-1] / max(1, counts[-1])
        ),
        "it divides by the last part's count": lambda x: sum(x) / max(1, counts[-1]),
        "it divides by the count twice": lambda x: sum(x) / total**2,
    }
    loss = expect.number(found["loss"], f"{seen}, in 'loss'")
    known = [(float(way(sums)), words) for words, way in ways.items()]
    fault = "the loss is not the mean over all targets"
    expect.equal(loss, sum(sums) / total, f"{seen}, in 'loss':", fault, known, 1e-9)
    shape = tuple(gradients[0].shape)
    gradient = expect.tensor(found["gradient"], shape, "float", f"{seen}, in 'gradient'")
    means = [gradients[i] / counts[i] for i in filled]
    known = (
        (sum(gradients), "the gradient is that of the sum: the loss was divided, it was not"),
        (
            sum(means) / len(means) if means else gradients[0],
            "the gradient is the mean of the parts' own, and the loss is not",
        ),
    )
    fault = "the gradient is not that of the mean over all targets"
    expect.equal(gradient, sum(gradients) / total, f"{seen}, in 'gradient':", fault, known, 1e-9)


def part(draw: torch.Generator, count: int) -> tuple[float, int, Tensor]:
    """Return a part of so many targets: its sum, count and gradient."""
    if not count:
        return 0.0, 0, torch.zeros(3, dtype=torch.float64)
    each = 0.5 + 2 * torch.rand(count, generator=draw, dtype=torch.float64)
    gradients = torch.randn(count, 3, generator=draw, dtype=torch.float64)
    return float(each.sum()), count, gradients.sum(dim=0)


def parts(draw: torch.Generator, counts: list[int]) -> tuple[list, list, list]:
    """Return the three lists for parts of these counts."""
    sums, counts, gradients = zip(*(part(draw, n) for n in counts), strict=True)
    return list(sums), list(counts), list(gradients)


@whole_batch.property("each target counts the same, in whatever part it stands")
def unequal(call, draw):
    """Unequal counts; a single target beside many."""
    for counts in ([2, 9], [7, 3, 5, 12], [1, 40], [1]):
        compare(call, *parts(draw, counts), f"for counts {counts}")


@whole_batch.property("other parts of the same rows give the same")
def cut(call, draw):
    """Two parts joined to one, and one part alone."""
    sums, counts, gradients = parts(draw, [4, 6, 5])
    compare(call, sums, counts, gradients, "for counts [4, 6, 5]")
    joined = [sums[0] + sums[1], sums[2]], [10, 5], [gradients[0] + gradients[1], gradients[2]]
    compare(call, *joined, "for the same rows as [10, 5]")
    compare(call, [sum(sums)], [15], [sum(gradients)], "for the same rows in one part")


@whole_batch.property("a sum of 0 is a loss like any other")
def sum_of_zero(call, draw):
    """A part whose targets cost nothing: they count all the same."""
    sums, counts, gradients = parts(draw, [2, 6])
    sums[0], gradients[0] = 0.0, torch.zeros_like(gradients[0])
    found = expect.table(call(sums, counts, gradients), ("loss", "gradient"))
    fault = "a part whose sum is 0 is taken for one without targets"
    expect.equal(expect.number(found["loss"]), sums[1] / 8, "for sums of which one is 0:", fault)


@whole_batch.property("a part without targets changes nothing")
def empty(call, draw):
    """At each place of the list."""
    for counts in ([0, 5, 8], [5, 0, 8], [5, 8, 0]):
        compare(call, *parts(draw, counts), f"for counts {counts}")


@whole_batch.property("no target at all gives zeros")
def nothing(call, draw):
    """One empty part, and three."""
    for counts in ([0], [0, 0, 0]):
        compare(call, *parts(draw, counts), f"for counts {counts}")
