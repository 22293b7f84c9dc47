"""Exercise 03.1: read a row."""

import math
from collections.abc import Sequence

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_03.shared import NOUGHT, ROW, SMALL, rows, unchanged
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

row_weights = Exercise(
    "03.1",
    "row_weights",
    title="Read a row",
    minutes=2,
    level="warm-up",
    points=1,
    imports=("math",),
    hints=(
        "Ratios are e to the power of differences. In [1, 3, 2, 9] the 9 is a trap: where does it "
        "stand?",
        "For t = 0 the weights are 1, 0, 0, and so on, whatever the scores are. With 1000 added to "
        "every score, nothing may change, and nothing may overflow.",
        "visible = scores[: t + 1]; powers = [math.exp(s - max(visible)) for s in visible]; each "
        "power divided by sum(powers), then a 0.0 for each hidden score.",
    ),
)


def shares(powers: Sequence[float], length: int) -> list[float]:
    """Return each power as a share of all, then zeros up to a length."""
    total = sum(powers) or math.nan
    return [power / total for power in powers] + [0.0] * (length - len(powers))


def right_row(scores: list[float], t: int) -> list[float]:
    """Return the weights of position t."""
    return shares([math.exp(s - max(scores[: t + 1])) for s in scores[: t + 1]], len(scores))


BEYOND = "e to such a power is beyond any float: subtract the largest visible score first"


def without_overflow(call, scores: list[float], t: int, fault: str) -> list[float]:
    """Return the answer's weights, or say why powers of e overflow or are all 0."""
    seen = f"for the scores {scores} and t = {t}"
    if call.error(scores, t) in ("OverflowError", "ZeroDivisionError"):
        raise Broken(fault, seen)
    return expect.numbers(call(scores, t), len(scores), seen)


@row_weights.property("there is one weight for each score, and together they are 1")
def row_sums(call, draw):
    """Count and add."""
    for scores, t in rows(draw):
        seen = f"for the scores {scores} and t = {t}"
        weights = expect.numbers(call(scores, t), len(scores), seen)
        expect.equal(
            sum(weights),
            1.0,
            seen,
            "the weights do not add up to 1: divide by the sum of the visible powers alone",
        )


@row_weights.property("every weight after position t is exactly 0")
def row_hides(call, draw):
    """Not small: 0."""
    for scores, t in rows(draw):
        weights = expect.numbers(call(scores, t), len(scores))
        hidden = max([0.0, *map(abs, weights[t + 1 :])])
        if hidden > 0:
            fault = "a position after t has a weight"
            if hidden < 0.05:
                fault = "a weight after position t is small, but not exactly 0"
            raise Broken(fault, f"for the scores {scores} and t = {t}: {show(weights)}")


@row_weights.property("a visible weight is e to the power of its score, as a share of all of them")
def row_values(call, draw):
    """Compare with the formula, and name the known slips."""
    for scores, t in rows(draw):
        visible = scores[: t + 1]
        known = [
            (shares(visible, len(scores)), "the shares are taken of the scores, not of powers"),
            (shares([2**s for s in visible], len(scores)), "these are powers of 2, not of e"),
            (right_row(scores, len(scores) - 1), "later positions count as if they were visible"),
        ]
        if t > 0:
            known.append((right_row(scores, t - 1), "position t may see itself as well"))
        expect.equal(
            expect.numbers(call(scores, t), len(scores)),
            right_row(scores, t),
            f"for the scores {scores} and t = {t}",
            known=known,
        )


@row_weights.property("a number added to all scores changes nothing, however large it is")
def row_shift(call, draw):
    """Add 1000 and -1000, and what floats can still add exactly; then let one visible score lie
    far above the others.
    """
    scores, t = ROW
    before = expect.numbers(call(scores, t), len(scores))
    for shift in (1000, -1000, 2**50, -(2**50)):
        given = [score + shift for score in scores]
        got = without_overflow(call, given, t, BEYOND)
        unchanged(got, before, f"for {given}", "a number added to all scores changes the weights")
    got = without_overflow(call, [0.0, 1500.0, 3.0, 9.0], t, BEYOND)
    expect.equal(got, [0.0, 1.0, 0.0, 0.0], "for [0, 1500, 3, 9]", "a high score does not take all")


@row_weights.property("a hidden score, however large, changes nothing")
def row_hidden(call, draw):
    """The last of four scores, t = 2."""
    scores, t = ROW
    before = expect.numbers(call(scores, t), len(scores))
    for hidden in (-3.0, 20.0, 1500.0):
        given = [*scores[:3], hidden]
        fault = "the largest score is looked for among the hidden ones as well"
        got = without_overflow(call, given, t, fault)
        unchanged(got, before, f"for {given} and t = {t}", "a hidden score changes the weights")


@row_weights.property("every visible score counts: 0, a low one, one of many")
def row_every(call, draw):
    """Some or all scores are 0; small shares, by their ratios; the lowest scores; a long row."""
    scores, t = ROW
    got = expect.numbers(call(scores, t), len(scores))
    expect.equal(got, right_row(scores, t), f"for the scores {scores} and t = {t}", SMALL)
    for scores, t in (([0.0, 1.0], 1), ([2.0, 0.0, -0.0, 1.0], 2), ([0.0, 3.0], 0), ([0.0] * 3, 1)):
        got = without_overflow(call, scores, t, NOUGHT)
        seen = f"for the scores {scores} and t = {t}"
        some = [(s != 0) * math.exp(s) for s in scores[: t + 1]]
        known = [(shares(some, len(scores)), NOUGHT)]
        expect.equal(got, right_row(scores, t), seen, "with scores of 0 it goes wrong", known)
    for scores, t in (([1.0, 3.0, 0.5], 1), ([0.0, 11.0, 1.0], 1), ([-300.0, 5.0, 0.0], 2)):
        got = expect.numbers(call(scores, t), len(scores))
        seen = f"for the scores {scores} and t = {t} it gives {show(got)}"
        if min(got[: t + 1]) <= 0:
            raise Broken("a visible score far below the largest gets exactly 0, as if hidden", seen)
        found = [math.log(weight / max(got)) for weight in got[: t + 1]]
        right = [score - max(scores[: t + 1]) for score in scores[: t + 1]]
        if not expect.close(found, right):
            raise Broken("a small weight is rounded, or its score was cut off", seen)
    low = [-1e300, -1e300, -1.5e300]
    got = without_overflow(call, low, 1, BEYOND)
    fault = "scores far below 0 lose against what stands at the hidden places"
    expect.equal(got, [0.5, 0.5, 0.0], f"for the scores {low} and t = 1", fault)
    scores = (torch.randint(-12, 13, (300,), generator=draw) / 4).tolist()
    got = expect.numbers(call(scores, 250), 300)
    seen = "for 300 scores and t = 250"
    expect.equal(got, right_row(scores, 250), seen, "a row of many scores goes wrong")
