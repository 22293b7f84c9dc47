"""Exercise 19.2: one seed is a lottery."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

wins = Exercise(
    "19.2",
    "wins",
    title="One seed is a lottery",
    minutes=5,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Someone draws one seed for the old model and one for the new, each evenly. How many "
        "pairs can come out, and in which of them does the new model look better?",
        "For [1, 3] before and [2] after it is 0.5. Changing places gives one minus it, so two "
        "equal lists must give 0.5.",
        "Add up over all a in before and all b in after: 1 where b < a, 0.5 where b == a. Divide "
        "by len(before) * len(after).",
    ),
)


def share(before: list[float], after: list[float]) -> float:
    """Return the share of pairs in which `after` is lower, ties as half."""
    points = sum((b < a) + (b == a) / 2 for a in before for b in after)
    return points / (len(before) * len(after))


def slips(before: list[float], after: list[float]) -> list[tuple[float, str]]:
    """Return what known slips give, each with its name."""
    pairs = [(a, b) for a in before for b in after]
    together = list(zip(before, after, strict=False))
    lower, ties = sum(b < a for a, b in pairs), sum(b == a for a, b in pairs)
    means = sum(before) / len(before), sum(after) / len(after)
    return [
        (share(after, before), "it counts where the new loss is higher: a lower loss wins"),
        (lower / len(pairs), "a tie counts as lost: it is worth one half"),
        ((lower + ties) / len(pairs), "a tie counts as won: it is worth one half"),
        (lower + ties / 2, "it is a number of pairs, and a share is asked for"),
        (
            sum((b < a) + (b == a) / 2 for a, b in together) / len(together),
            "only seeds with the same number meet: each one can meet each",
        ),
        (
            (means[1] < means[0]) + (means[1] == means[0]) / 2,
            "it compares the means: how often single seeds win is asked for",
        ),
        (
            (lower + ties / 2) / len(before) ** 2,
            "it divides by the square of one length: the lists need not be equally long",
        ),
    ]


def try_lists(call, before: list[float], after: list[float]) -> None:
    """Compare with the right share."""
    seen = f"for before = {before}, after = {after}"
    expect.equal(
        expect.number(call(before, after), seen),
        share(before, after),
        seen,
        "it is not the share of pairs in which the new model has the lower loss",
        known=slips(before, after),
    )


def drawn(draw: torch.Generator, length: int) -> list[float]:
    """Return losses in steps of a quarter, so that some are equal."""
    return [n / 4 for n in torch.randint(4, 10, (length,), generator=draw).tolist()]


@wins.property("it is 1 where every new loss is lower, and 0 where every one is higher")
def sure(call, draw):
    """No overlap, and one seed each."""
    for before, after in (([3.0, 2.5], [1.0, 2.0]), ([1.0], [2.0])):
        try_lists(call, before, after)
    for before, after, right in (([1.0], [1.0 - 1e-10], 1.0), ([1.0], [1.0 + 1e-10], 0.0)):
        got = expect.number(call(before, after))
        fault = "losses that are only close count as a tie"
        expect.equal(got, right, f"for before = {before}, after = {after}:", fault)


@wins.property("two equal lists give one half: a tie is half a win")
def even(call, draw):
    """Ties."""
    for losses in ([1.5], [1.0, 2.0, 4.0], [2.0, 2.0]):
        try_lists(call, losses, losses)


@wins.property("every seed of one list can meet every seed of the other")
def every_pair(call, draw):
    """Lists of unequal length with overlap."""
    try_lists(call, [1.0, 2.0, 4.0, 5.0], [0.5, 0.75, 4.5, 3.0])
    for lengths in ((4, 3), (2, 5), (1, 4)):
        try_lists(call, *(drawn(draw, length) for length in lengths))
