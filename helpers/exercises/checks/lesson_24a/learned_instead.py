"""Exercise 24a.5: what is learned instead."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

learned_instead = Exercise(
    "24a.5",
    "learned_instead",
    title="What is learned instead",
    minutes=8,
    level="medium",
    points=3,
    imports=(),
    hints=(
        "Right training gives each target one vote. How much is a vote worth in a sentence of 8 "
        "targets, if the whole sentence has one vote?",
        "Chances of 0.5 and 0.5 with lengths 9 and 17 become 2/3 and 1/3: 0.5 / 8 and 0.5 / 16, "
        "scaled so that they sum to 1. The first token is no target.",
        "weights = [p / (n - 1) if n > 1 else 0 for p, n in zip(probabilities, lengths)]; divide "
        "each by their sum.",
    ),
)


def scaled(weights: list[float]) -> list[float]:
    """Return weights that sum to 1."""
    total = sum(weights)
    return [w / total for w in weights] if total else weights


def compare(call, chances: list[float], lengths: list[int], seen: str) -> None:
    """Compare the law, and name the known slips."""
    if call.error(chances, lengths) == "ZeroDivisionError":
        raise Broken("it divides by the 0 targets of a sentence of one token", seen)
    found = expect.numbers(call(chances, lengths), len(chances), seen)
    pairs = list(zip(chances, lengths, strict=True))
    raw = [p / (n - 1) if n > 1 else 0.0 for p, n in pairs]
    inverse = [1 / (n - 1) if n > 1 else 0.0 for n in lengths]
    expect.equal(
        found,
        scaled(raw),
        f"{seen}:",
        "it is not the law that is learned",
        (
            (raw, "the numbers do not sum to 1"),
            (scaled([p / n for p, n in pairs]), "the first token is counted as a target"),
            (
                scaled([p / n if n > 1 else 0.0 for p, n in pairs]),
                "the first token is counted as a target",
            ),
            (
                scaled([p * (n - 1) for p, n in pairs]),
                "it is turned round: short sentences gain, long ones lose",
            ),
            (chances, "nothing is changed, as if each target had one vote"),
            (scaled(inverse), "how likely a sentence is plays no part"),
            (
                scaled([p / (n - 1) if n > 1 else p for p, n in pairs]),
                "a sentence without targets is learned",
            ),
            (
                [w / len(raw) for w in raw],
                "it divides by the number of sentences, and not by the sum",
            ),
            (scaled([p / (n - 1) ** 2 if n > 1 else 0.0 for p, n in pairs]), "divided twice"),
        ),
        1e-9,
    )


def drawn(draw: torch.Generator, n: int) -> list[float]:
    """Return n chances that sum to 1, none of them small."""
    weights = 0.5 + torch.rand(n, generator=draw, dtype=torch.float64)
    return (weights / weights.sum()).tolist()


@learned_instead.property("short sentences gain what long ones lose, by their targets")
def unequal(call, draw):
    """The lesson's case, and drawn ones."""
    compare(call, [0.5, 0.5], [9, 17], "for chances of 1/2 and lengths 9 and 17")
    compare(call, drawn(draw, 3), [2, 5, 3], "for lengths [2, 5, 3]")
    for n in (3, 5):
        lengths = (2 + torch.randperm(20, generator=draw)[:n]).tolist()
        compare(call, drawn(draw, n), lengths, f"for lengths {lengths}")


@learned_instead.property("sentences of one length keep their probabilities")
def equal(call, draw):
    """Equal lengths; one sentence alone."""
    compare(call, drawn(draw, 4), [7] * 4, "for four sentences of length 7")
    compare(call, [1.0], [5], "for one sentence")


@learned_instead.property("a sentence without targets is not learned")
def empty(call, draw):
    """A sentence of one token among others."""
    compare(call, drawn(draw, 3), [6, 1, 11], "for lengths [6, 1, 11]")
    compare(call, drawn(draw, 2), [1, 4], "for lengths [1, 4]")


@learned_instead.property("a sentence that is never said stays so")
def never(call, draw):
    """A probability of 0; and one sentence that is always said."""
    first, second = drawn(draw, 2)
    compare(call, [first, 0.0, second], [4, 2, 9], "for a chance of 0")
    compare(call, [0.0, 1.0], [3, 8], "for chances of 0 and 1")
