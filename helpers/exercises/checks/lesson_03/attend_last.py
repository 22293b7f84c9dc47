"""Exercise 03.4: only the newest token."""

import torch

from helpers.decoder import attention, masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_03.shared import (
    CUT,
    NOUGHT,
    OVERFLOW,
    SMALL,
    average,
    exact,
    finite,
    last,
    mixed_up,
    unchanged,
    without_noughts,
)
from helpers.exercises.exercise import Broken, Exercise

attend_last = Exercise(
    "03.4",
    "attend_last",
    title="Only the newest token",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The last token may see everything. So what is there to hide?",
        "With one token the result is its value. With equal keys it is the plain mean of the "
        "values. Shuffle keys and values together, and nothing may change.",
        "scores = keys @ query / math.sqrt(len(query)) has shape [T]. One softmax over it, and "
        "the weights @ values give the row.",
    ),
)


def row_of(call, *arguments) -> torch.Tensor:
    """Return the answer's one row, after a look at its form."""
    return expect.tensor(
        call(*arguments), arguments[2].shape[1:], seen=f"for T = {len(arguments[2])}"
    )


@attend_last.property("one row comes out, and a lone token gets its own value")
def last_form(call, draw):
    """[Dv], for T = 1 too."""
    row_of(call, *last(draw, 5, 4, 3))
    for D, Dv in ((4, 3), (2, 1)):
        query, keys, values = last(draw, 1, D, Dv)
        expect.equal(
            row_of(call, query, keys, values),
            values[0].double(),
            "for T = 1",
            "a token that is alone does not get its own value",
        )


@attend_last.property("equal values come out as they went in, so the weights sum to 1")
def last_sums(call, draw):
    """All values the same."""
    query, keys, values = last(draw, 6, 4, 3)
    values[:] = values[0]
    got = row_of(call, query, keys, values)
    fault = "the weights do not sum to 1"
    if expect.close(got, 6 * values[0].double()):
        fault = "each of the weights is 1: the softmax runs over an axis of length 1"
    expect.equal(got, values[0].double(), "for T = 6 equal values", fault)


@attend_last.property("keys and values may change places together, and every one of them counts")
def last_set(call, draw):
    """The newest token sees a set of pairs."""
    query, keys, values = last(draw, 5, 4, 3)
    before = row_of(call, query, keys, values)
    for s in range(5):
        other = values.clone()
        other[s] += 1
        if expect.close(row_of(call, query, keys, other), before):
            raise Broken(
                "a token has no weight, and the newest one may see all of them",
                f"with T = 5, nothing moves when the value of token {s} is changed",
            )
    order = [4, 0, 1, 2, 3]
    unchanged(
        row_of(call, query, keys[order], values[order]),
        before,
        f"with T = 5 and the order {order}",
        "the order of keys and values matters, and it must not",
    )


@attend_last.property("it equals the last row of the full head")
def last_values(call, draw):
    """Compare with the formula, and name the known slips."""
    for T, D, Dv in ((5, 4, 3), (7, 2, 6), (40, 1, 3)):
        query, keys, values = last(draw, T, D, Dv)
        keys = mixed_up(query, keys)
        full = attention.attention(
            torch.cat([torch.zeros(T - 1, D), query[None]])[None, None].double(),
            keys[None, None].double(),
            values[None, None].double(),
            masks.causal(T),
        )[0, 0, -1]
        scores = keys.double() @ query.double()
        undivided, width, length, wide = (
            average(query, keys, values, x) for x in (1, 1 / D, T**-0.5, Dv**-0.5)
        )
        expect.equal(
            row_of(call, query, keys, values),
            full,
            f"for T = {T}, D = {D}",
            known=(
                (undivided, "the scores are not divided by anything"),
                (width, "the scores are divided by the width, not its root"),
                (length, "the scores are divided by the root of T, not of D"),
                (wide, "the scores are divided by the root of Dv, not of D"),
                (values.double().mean(0), "all tokens weigh the same: the scores do not count"),
                (values[scores.argmax()].double(), "only the best key counts: average by softmax"),
                (values[0].double(), "only the oldest token is seen: a lone query stands last"),
                (
                    average(query, keys[:-1], values[:-1], D**-0.5),
                    "the newest token may see itself as well",
                ),
            ),
        )


@attend_last.property("it holds for every score: for 0, and far above and far below 0")
def last_scores(call, draw):
    """Scores of 0, then large ones whose differences are small."""
    large = "with large scores the row is another one"
    for scores, undefined, fault in (
        ([1.0, 2.0, 0.5], "", SMALL),
        ([0.0, 1.0], NOUGHT, SMALL),
        ([2.0, 0.0, 0.0, 1.0], NOUGHT, SMALL),
        ([0.0, 0.0, 0.0], NOUGHT, SMALL),
        ([100.0, 110.0, 90.0], OVERFLOW, large),
        ([1000.0, 990.0, 1000.0], OVERFLOW, large),
        ([-1000.0, -999.0, -990.0], OVERFLOW, large),
        ([40.0, 31.0], OVERFLOW, large),
        ([-40.0, -31.0, -35.0], OVERFLOW, large),
    ):
        given = exact(draw, scores)
        seen = f"for the scores {scores}"
        got = finite(call, undefined, seen, *given) if undefined else call(*given)
        known = [(without_noughts(*given, 0.5), NOUGHT)]
        if fault is large:
            known.append((given[2].double().mean(0), CUT))
        right = average(*given, 0.5)
        # next to 1000 float32 knows steps of 6e-5 only, and a logarithm of a sum stands there
        got = expect.tensor(got, (3,), seen=seen)
        expect.equal(got, right, seen, fault, known, expect.TOLERANCE if fault is SMALL else 2e-4)
