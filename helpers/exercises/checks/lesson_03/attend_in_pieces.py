"""Exercise 03.5: never the whole row."""

import torch

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
    without_noughts,
)
from helpers.exercises.exercise import Broken, Exercise

attend_in_pieces = Exercise(
    "03.5",
    "attend_in_pieces",
    title="Never the whole row",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Softmax does not care which constant is subtracted from all scores. So you may begin with "
        "the largest of the first piece. What must you do when a later piece brings a larger one?",
        "Keep three things: the largest score so far, the sum of powers, the sum of powers times "
        "values. After every piece their quotient is the right answer for the tokens seen so far. "
        "Test that with one piece, then with two.",
        "For each piece: new = max(largest, scores.max()); powers = exp(scores - new); shrink = "
        "exp(largest - new). Then total = total * shrink + powers.sum(), and weighted = weighted * "
        "shrink + powers @ values of the piece. Begin with -inf, 0, 0.",
    ),
)


def in_one(query, keys, values) -> torch.Tensor:
    """Return the right row."""
    return average(query, keys, values, len(query) ** -0.5)


def pieces(T: int, size: int) -> list[slice]:
    """Return the places of the pieces."""
    return [slice(start, start + size) for start in range(0, T, size)]


def running(query, keys, values, size: int, total_shrinks: bool, weighted_shrinks: bool):
    """Return what comes out when the sums so far do not shrink with a new largest score."""
    scores = keys.double() @ query.double() / len(query) ** 0.5
    largest, total, weighted = torch.tensor(-torch.inf).double(), 0, 0
    for part in pieces(len(keys), size):
        new = torch.maximum(largest, scores[part].max())
        powers, shrink = (scores[part] - new).exp(), (largest - new).exp()
        total = total * (shrink if total_shrinks else 1) + powers.sum()
        weighted = weighted * (shrink if weighted_shrinks else 1) + powers @ values[part].double()
        largest = new
    return weighted / total


@attend_in_pieces.property("with all keys in one piece, it is the newest token's row")
def pieces_one(call, draw):
    """A size of T and more; one token."""
    for T, size in ((5, 5), (5, 8), (1, 1), (1, 3)):
        query, keys, values = last(draw, T, 4, 3)
        seen = f"for T = {T} and size {size}"
        got = expect.tensor(call(query, keys, values, size), (3,), seen=seen)
        expect.equal(
            got,
            in_one(query, keys, values),
            seen,
            "one piece alone is not right",
            known=(
                (average(query, keys, values, 1), "the scores are not divided by the root of D"),
                (torch.zeros(3).double(), "a piece shorter than the size asked for is left out"),
            ),
        )


@attend_in_pieces.property("the size of a piece changes nothing, from 1 to T")
def pieces_sizes(call, draw):
    """All sizes, also those that do not divide T."""
    T = 7
    query, keys, values = last(draw, T, 4, 3)
    keys = mixed_up(query, keys)
    given = (query, keys, values)
    in_a_row = expect.tensor(call(*given, T), (3,), seen=f"for size {T}")
    for size in range(1, T + 1):
        whole = T - T % size
        alone = torch.stack([in_one(query, keys[part], values[part]) for part in pieces(T, size)])
        half = "only one of the two sums shrinks when a larger score comes: both must"
        got = expect.tensor(call(*given, size), (3,), seen=f"for size {size}")
        if expect.close(got, in_a_row):
            continue
        expect.equal(
            got,
            in_one(*given),
            f"for T = {T} and size {size}",
            "another size gives another row",
            known=(
                (
                    in_one(query, keys[:whole], values[:whole]),
                    "the last piece, where T is no multiple of the size, does not count",
                ),
                (
                    in_one(query, keys[:-1], values[:-1]),
                    "a last key that is a piece of its own is never looked at",
                ),
                (alone.mean(0), "each piece weighs the same, whatever its scores are"),
                (alone.sum(0), "the pieces' averages are added up: they must share one total"),
                (alone[-1], "only the last piece is left of it: keep the sums of those before"),
                (
                    running(*given, size, False, False),
                    "when a larger score comes, the sums so far must shrink to fit it",
                ),
                (running(*given, size, True, False), half),
                (running(*given, size, False, True), half),
            ),
        )
        raise Broken("the row is right for small pieces only", f"for T = {T}, not for size {T}")
    given = last(draw, 40, 4, 3)
    for size in (1, 16, 39, 40, 50):
        seen = f"for T = 40 and size {size}"
        got = expect.tensor(call(*given, size), (3,), seen=seen)
        expect.equal(got, in_one(*given), seen, "with many keys the row is another one")


@attend_in_pieces.property("scores of 0 count, and 1000 and -1000 do no harm, in any order")
def pieces_large(call, draw):
    """Small scores first, some of them 0, then rising and falling ones, and all far below 0."""
    low = "scores that all lie far below 0 come to nothing: the largest so far must begin at -inf"
    large = "with large scores the row is another one"
    for scores, undefined, fault in (
        ([1.0, 2.0, 4.0, 3.0], "", SMALL),
        ([0.0, 1.0, 0.0, 0.0], NOUGHT, SMALL),
        ([0.0, 0.0, 0.0], NOUGHT, SMALL),
        ([1000.0, 999.0, 1000.0, 998.0], OVERFLOW, large),
        ([-1000.0, -999.0, -1001.0, -998.0], low, large),
        ([-2000.0, -2000.0, -2001.0], low, large),
        ([-1000.0, 0.0, 1000.0, 999.0, -1000.0], OVERFLOW, large),
        ([1000.0, -1000.0, 999.0], OVERFLOW, large),
    ):
        arguments = exact(draw, scores)
        for size in (1, 2, 3):
            seen = f"for the scores {scores} and size {size}"
            row = (
                finite(call, undefined, seen, *arguments, size)
                if undefined
                else call(*arguments, size)
            )
            row = expect.tensor(row, (3,), seen=seen)
            known = [(without_noughts(*arguments, 0.5), NOUGHT)]
            if fault is large:
                known.append((arguments[2].double().mean(0), CUT))
            # next to 1000 float32 knows steps of 6e-5 only, and a logarithm of a sum stands there
            tolerance = expect.TOLERANCE if fault is SMALL else 2e-4
            expect.equal(row, in_one(*arguments), seen, fault, known, tolerance)
