"""Exercise 02.1: shares in your head."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

shares = Exercise(
    "02.1",
    "shares",
    title="Shares in your head",
    minutes=5,
    level="warm-up",
    points=1,
    imports=("math",),
    hints=(
        "The ratio of two shares is e to the power of the difference of their scores. Which "
        "change to the scores keeps all differences, and makes the powers small enough?",
        "The shares of [1000, 1000] are [0.5, 0.5], and so are those of [-1000, -1000]. Only the "
        "differences count: [5, 6] and [1005, 1006] get the same shares.",
        "largest = max(scores). Then powers = [math.exp(score - largest) for score in scores], "
        "and each power is divided by sum(powers). math.exp(-math.inf) is 0, as it should be.",
    ),
)


def shares_right(scores: list[float], base: float = math.e) -> list[float]:
    """Return softmax, with powers of e or of another base."""
    powers = [base ** (score - max(scores)) for score in scores]
    return [power / sum(powers) for power in powers]


def some_scores(draw: torch.Generator) -> list[list[float]]:
    """Return fixed and drawn lists of scores."""
    drawn = (3 * torch.randn(5, generator=draw)).tolist()
    return [[0.0, math.log(3)], [2.0, 1.0, 0.0, -1.0], drawn, [0.7], [-3.0] * 300]


def shares_of(call, scores: list[float]) -> list[float]:
    """Return the answer's shares, if it gives any."""
    seen = f"for {show(scores)}"
    if error := call.error(scores):
        extreme = max(scores) > 100 or max(scores) < -100
        raise Broken(
            "large scores break it: only their differences count, so subtract the largest first"
            if extreme
            else "it raises an exception for ordinary scores",
            f"{seen} it raised {error}",
        )
    value = call(scores)
    if max(scores) > 100 and isinstance(value, list) and any(map(is_nan, value)):
        raise Broken("large scores give NaN: infinity divided by infinity", seen)
    return expect.numbers(value, len(scores), seen)


def is_nan(value) -> bool:
    """Return whether a value is the float NaN."""
    return isinstance(value, float) and math.isnan(value)


@shares.property("it gives one share for each score; none is negative, and their sum is 1")
def sum_to_one(call, draw):
    """Moderate scores."""
    for scores in some_scores(draw):
        got = shares_of(call, scores)
        seen = f"for {show(scores)} it gives {show(got)}"
        if min(got) < 0:
            raise Broken("a share is negative: take powers before you divide", seen)
        expect.equal(sum(got), 1.0, f"{seen}, for the sum", "the shares do not sum to 1")


@shares.property("the ratio of two shares is e to the power of the difference of their scores")
def ratios(call, draw):
    """Compare, and name the known slips."""
    for scores in some_scores(draw):
        expect.equal(
            shares_of(call, scores),
            shares_right(scores),
            f"for {show(scores)}",
            "the ratios of the shares are wrong",
            known=(
                (shares_right(scores, 2), "these are powers of 2, not of e"),
                (shares_right(scores, 2.718), "e has more digits than 2.718: math.exp knows them"),
                (shares_right(scores, 1 / math.e), "the order is turned: a larger score gets less"),
                (
                    [score / (sum(scores) or 1) for score in scores],
                    "these are shares of the scores themselves: the powers are missing",
                ),
            ),
        )


@shares.property("adding a constant changes nothing, even 1000 or -1000")
def constants(call, draw):
    """Shift the scores far away."""
    for scores in ([0.0, math.log(3)], [2.0, -1.0, 0.5]):
        before = shares_of(call, scores)
        for constant in (5.0, -5.0, 1000.0, -1000.0):
            shifted = [score + constant for score in scores]
            now = shares_of(call, shifted)
            if not expect.close(now, before):
                raise Broken(
                    "the shares change when every score grows by the same",
                    f"{show(scores)} gives {show(before)}, but {show(shifted)} gives {show(now)}",
                )


@shares.property("scores may lie as far apart as 2000")
def far_apart(call, draw):
    """The low ones get nothing, the high ones share as if they were alone."""
    low = [-2000.0, -2000.0]
    if call.error(low) or not expect.close(call(low), [0.5, 0.5]):
        fault = "scores that all lie far below 0 vanish: look for the largest among them alone"
        raise Broken(fault, f"for {low}")
    alone = shares_of(call, [1.0, 0.0])
    scores = [-1000.0, 0.0, 1000.0, 999.0]
    expect.equal(
        shares_of(call, scores),
        [0.0, 0.0, *alone],
        f"for {show(scores)}",
        "scores that lie far apart get wrong shares: the lowest powers may vanish, not the highest",
        known=(
            ([1.0, 0.0, 0.0, 0.0], "the order is turned: a larger score gets less"),
            (
                [score / sum(scores) for score in scores],
                "these are shares of the scores themselves: the powers are missing",
            ),
        ),
    )


@shares.property("a score of minus infinity gets the share 0, and the rest as without it")
def hidden_scores(call, draw):
    """Compare with the shares of the other scores alone."""
    low = [[-1000.0, -math.inf], [-math.inf, -1000.0, -math.inf, -1000.0]]
    low.append([0.0, 1.0, 2.0, -math.inf])  # what these three leave to 1 is not quite 0
    for scores in ([2.0, -math.inf, 1.0], [-math.inf, 3.0], [-math.inf, 700.0, 0.0], *low):
        seen = f"for {show(scores)}"
        if error := call.error(scores):
            raise Broken("minus infinity breaks it", f"{seen} it raised {error}")
        value = call(scores)
        if isinstance(value, list) and any(map(is_nan, value)):
            raise Broken("minus infinity makes NaN of a share", seen)
        got = expect.numbers(value, len(scores), seen)
        alone = iter(shares_of(call, [score for score in scores if score > -math.inf]))
        right = [0.0 if score == -math.inf else next(alone) for score in scores]
        expect.equal(got, right, seen, "a hidden score still takes a share")
        if any(share for share, score in zip(got, scores, strict=True) if score == -math.inf):
            raise Broken("the share of minus infinity is tiny, not exactly 0", f"{seen}: {got}")
