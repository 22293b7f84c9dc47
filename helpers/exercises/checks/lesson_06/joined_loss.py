"""Exercise 06.4: half a batch at a time."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

joined_loss = Exercise(
    "06.4",
    "joined_loss",
    title="Half a batch at a time",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "How many nats did a part pay in all, if its mean is m and c of its targets counted?",
        "Cut the same losses in other parts: [4, 1, 1, 1] is means [4, 1] with counts [1, 3], or "
        "[2.5, 1] with [2, 2]. Both must give 1.75.",
        "Add up mean * count over the parts whose count is not 0 (NaN times 0 is NaN), add up the "
        "counts, and divide once. No count at all: 0.",
    ),
)


@joined_loss.property("it is the loss of the whole batch, however it was cut")
def joined_parts(call, draw):
    """C12, and drawn losses cut in several ways."""
    found = expect.number(call([4.0, 1.0], [1, 3]), "for means [4, 1], counts [1, 3]")
    known = (
        (2.5, "it is the mean of the parts' means: each token of a short part weighs more"),
        (7.0, "it is the sum of all losses, not their mean"),
        (5.0, "the means are added up"),
        (1.25, "the counts are taken for sums of losses"),
    )
    expect.equal(found, 1.75, "for means [4, 1], counts [1, 3]:", known=known)
    for means, counts in (([1.0, 0.0], [2, 6]), ([0.0, 0.0], [1, 3])):
        expect.equal(
            expect.number(call(means, counts)),
            sum(m * c for m, c in zip(means, counts, strict=True)) / sum(counts),
            f"for means {means}, counts {counts}:",
            "a part whose mean is 0 is left out with its targets",
        )
    whole = (torch.rand(12, generator=draw) * 4).tolist()
    alone = expect.number(call([1.5], [1]), "for means [1.5], counts [1]")
    expect.equal(alone, 1.5, "for means [1.5], counts [1]:", "one part alone is not its own mean")
    for sizes in ([12], [1, 11], [5, 4, 3], [1] * 12):
        parts, at = [], 0
        for size in sizes:
            parts.append(whole[at : at + size])
            at += size
        means = [sum(part) / len(part) for part in parts]
        expect.equal(
            expect.number(call(means, sizes)),
            sum(whole) / 12,
            f"for 12 losses cut in parts of {sizes}:",
            "other parts of the same rows give another loss",
        )


@joined_loss.property("a part without targets, whose mean is NaN, does not matter")
def joined_empty_part(call, draw):
    """At any place among the parts."""
    means = (torch.rand(2, generator=draw) * 4).tolist()
    right = (means[0] * 2 + means[1] * 5) / 7
    expect.number(call(means, [2, 5]))
    for place in range(3):
        with_empty, counts = means.copy(), [2, 5]
        with_empty.insert(place, math.nan)
        counts.insert(place, 0)
        found = call(with_empty, counts)
        seen = f"where part {place} of 3 has no target"
        if isinstance(found, float) and math.isnan(found):
            raise Broken("the NaN of a part without targets gets through: 0 * NaN is NaN", seen)
        expect.equal(
            expect.number(found),
            right,
            f"{seen}:",
            "a part without targets changes the loss",
            known=[(right * 7 / 8, "a part without targets is divided by as if it had one")],
        )


@joined_loss.property("with no target at all it is 0")
def joined_nothing(call, draw):
    """No parts, and parts without targets only."""
    for means, counts in (([math.nan, math.nan], [0, 0]), ([math.nan], [0]), ([], [])):
        seen = f"for means {means}, counts {counts}".replace("nan", "NaN")
        if call.error(means, counts) == "ZeroDivisionError":
            raise Broken("it divides by the count of no targets", seen)
        expect.equal(expect.number(call(means, counts), seen), 0.0, f"{seen}:")
