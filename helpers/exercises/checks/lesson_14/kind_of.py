"""Exercise 14.5: which positions made these scores."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm

kind_of = Exercise(
    "14.5",
    "kind_of",
    title="Who told this head where things are?",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "Every word is the same, so only positions can make two scores differ. Along which lines "
        "of the table must they be equal if only the distance counts?",
        "scores.diagonal(-d) holds what lies d tokens back. For none, all of them are one number. "
        "A table with one changed number below the diagonal must be absolute.",
        "Look at the diagonals 0 to T - 1. If one of them is not constant (allow 0.0001), it is "
        "absolute. Then take each one's first number: all equal is none, steps that are all the "
        "same and negative are alibi, and the rest is relative.",
    ),
)
WORDS = ("none", "alibi", "relative", "absolute")


def back(T: int) -> torch.Tensor:
    """Return how far each key lies before each query."""
    return torch.arange(T)[:, None] - torch.arange(T)


def tables(draw: torch.Generator, T: int) -> dict[str, list[torch.Tensor]]:
    """Return tables of scores [T, T] for each word, with what the mask would hide filled in."""
    content = float(torch.randn((), generator=draw))
    drawn = torch.randn(T, generator=draw)
    absolute = torch.randn((T, 4), generator=draw) @ torch.randn((4, T), generator=draw)
    plain = torch.full((T, T), content)
    falling = plain - back(T).abs() * 0.0625
    rows = plain + drawn[:, None]  # each query by its own position
    return {
        "none": [plain, plain + torch.randn((T, T), generator=draw).triu(1)],
        "alibi": [falling, plain - back(T) * 0.25],
        "relative": [
            plain + drawn[back(T).clamp(0)],
            plain + back(T) * 0.25,
            falling.clamp(content - 0.125),  # the first two steps fall, and then it stays
            plain - back(T).abs() ** 0.5,  # it falls all the way, by ever smaller steps
        ],
        "absolute": [absolute, rows, plain + drawn],
    }


def verdict(call, scores: torch.Tensor) -> str:
    """Return the answer's word, one of the four."""
    word = expect.text(call(scores), f"for T = {len(scores)}")
    if word not in WORDS:
        raise WrongForm(
            "it returned another word than the four that are asked for", f"it returned {word!r}"
        )
    return word


FAULTS = {
    ("none", "alibi"): "equal scores are called alibi: a slope of 0 tells nothing",
    ("none", "relative"): "equal scores are called relative: there is nothing to tell apart",
    ("none", "absolute"): "scores that are equal wherever the mask shows them are not called none",
    ("alibi", "none"): "scores that differ with distance are called none",
    ("alibi", "relative"): "equal steps down are not called alibi",
    ("alibi", "absolute"): "a straight fall by distance is called absolute",
    ("relative", "none"): "scores that differ with distance are called none",
    ("relative", "alibi"): "unequal steps down are called alibi: ALiBi's are all the same",
    ("relative", "absolute"): "equal numbers at equal distances are called absolute",
    ("absolute", "none"): "scores that differ along a diagonal are called none",
    ("absolute", "alibi"): "scores that differ along a diagonal are called alibi",
    ("absolute", "relative"): "scores that differ along a diagonal are called relative",
}


def recognises(name: str):
    """Return a property's function: the tables of one word are recognised."""

    def function(call, draw):
        for T in (4, 5, 9):
            for number, scores in enumerate(tables(draw, T)[name]):
                word = verdict(call, scores)
                if word != name:
                    fault = FAULTS[name, word]
                    if word == "alibi" and scores[1, 0] > scores[0, 0]:
                        fault = "a rise with distance is called alibi: it must fall"
                    raise Broken(fault, f"with T = {T}, table {number}, it says {word!r}")

    return function


for kind in WORDS:
    kind_of.property(f'"{kind}" is recognised, whatever the mask hides')(recognises(kind))


@kind_of.property("rounding in the last digits changes no verdict")
def kind_rounding(call, draw):
    """Noise far below any bias."""
    for name, found in tables(draw, 6).items():
        for scores in found:
            noise = 1e-6 * torch.randn((6, 6), generator=draw)
            word = verdict(call, scores + noise)
            if word != verdict(call, scores):
                raise Broken(
                    "a difference in the last digits changes the verdict",
                    f"{name} with noise of 0.000001 is called {word!r}",
                )


@kind_of.property("one number changed below the diagonal makes it absolute")
def kind_entries(call, draw):
    """Every visible entry on a diagonal of two or more."""
    for name in ("none", "alibi", "relative"):
        for T in (4, 6):
            for t, s in (~torch.ones(T, T).bool().triu(1)).nonzero().tolist():
                if t - s == T - 1:
                    continue  # a diagonal of one number
                scores = tables(draw, T)[name][0].clone()
                scores[t, s] += 0.5
                word = verdict(call, scores)
                if word != "absolute":
                    raise Broken(
                        "one changed number goes unnoticed",
                        f"{name} with T = {T} and entry ({t}, {s}) changed is called {word!r}",
                    )


@kind_of.property("differences of 0.0001 count, smaller ones do not, and nothing hidden counts")
def kind_exact(call, draw):
    """Small changes, slow drifts, and NaN or infinity above the diagonal."""
    flat = torch.full((8, 8), float(torch.randn((), generator=draw)))
    nudged, drifting = flat.clone(), flat + torch.arange(8.0)[:, None] * 0.00005
    nudged[4, 1] += 0.0005
    for scores, right, fault in (
        (nudged, "absolute", "a difference of 0.0005 is overlooked: 0.0001 is what is allowed"),
        (flat + (nudged - flat) * 10, "absolute", "a difference of 0.005 is overlooked"),
        (
            drifting,
            "absolute",
            "scores drift along a diagonal by 0.00035 in all, and only neighbours are compared",
        ),
        (flat + (nudged - flat) * 0.1, "none", "a difference of 0.00005 is taken for one"),
    ):
        word = verdict(call, scores)
        if word != right:
            raise Broken(fault, f"it is called {word!r}, right is {right!r}")
    above = torch.ones(8, 8, dtype=torch.bool).triu(1)
    for strange in (float("inf"), -float("inf"), float("nan")):
        for name, scores in (("none", flat), ("alibi", flat - back(8) * 0.25)):
            word = verdict(call, scores.masked_fill(above, strange))
            if word != name:
                raise Broken(
                    "what stands above the diagonal counts: 0 times infinity is NaN",
                    f"{name} with {strange} above the diagonal is called {word!r}",
                )
