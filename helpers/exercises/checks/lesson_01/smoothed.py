"""Exercise 01.4: no more infinity."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

smoothed = Exercise(
    "01.4",
    "smoothed",
    title="No more infinity",
    minutes=15,
    level="medium",
    points=3,
    imports=(),
    hints=(
        "A token that never came has count 0, and it gets extra too. So how much is added to the "
        "total, over all V tokens?",
        "With no counts at all, every token gets 1 / V. Whatever is counted, the V numbers sum to "
        "1. With extra = 0 they are the plain shares.",
        "For each token from 0 to V - 1: (counts.get(token, 0) + extra) / (total + V * extra). "
        "For the prediction, think of the steps that are certain: how much probability do eleven "
        "impossible words take away?",
    ),
)


def smooth_right(counts: dict, V: int, extra: float) -> list[float]:
    """Return the smoothed law."""
    total = sum(counts.values()) + V * extra
    return [(counts.get(token, 0) + extra) / total for token in range(V)]


def in_order_of_counting(counts: dict, V: int, extra: float) -> list[float]:
    """Return the right probabilities at the wrong places: first what was counted, then the rest."""
    law = smooth_right(counts, V, extra)
    rest = [token for token in range(V) if token not in counts]
    return [law[token] for token in (*counts, *rest)]


def some_counts(draw: torch.Generator) -> list[tuple[dict, int]]:
    """Return (counts, V): fixed small ones and drawn ones."""
    drawn = {}
    for token in torch.randperm(8, generator=draw)[:3].tolist():
        drawn[token] = int(torch.randint(2, 20, (), generator=draw))
    fixed = [({2: 3, 0: 1}, 4), ({11: 5}, 12), ({0: 3, 1: 1}, 2), ({0: 7}, 1)]
    return [*fixed, (drawn, 8), ({0: 1_000_000, 2: 1}, 3)]


@smoothed.property("it gives a probability for each of the V tokens")
def one_for_each(call, draw):
    """A list of V numbers, none negative; for extra above 0 all positive."""
    for counts, V in some_counts(draw):
        seen = f"for counts {counts}, V = {V}, extra = 0.5"
        got = expect.numbers(call(counts, V, 0.5), V, seen)
        for token, p in enumerate(got):
            if p <= 0:
                raise Broken(
                    "a token that never came still has no probability: it gets extra too",
                    f"{seen}: token {token} has {p:g}",
                )


@smoothed.property("the probabilities sum to 1")
def smooth_sum(call, draw):
    """For small and large extra."""
    for counts, V in some_counts(draw):
        for extra in (0.01, 1, 3.5):
            seen = f"for counts {counts}, V = {V}, extra = {extra}"
            total = sum(expect.numbers(call(counts, V, extra), V, seen))
            expect.equal(
                total,
                1.0,
                f"{seen}, for the sum",
                "the sum is not 1: extra is added V times, so the total grows by as much",
            )


@smoothed.property("without any counts the law is even")
def no_counts(call, draw):
    """An empty dict."""
    for V, extra in ((4, 1), (12, 0.01)):
        seen = f"for no counts, V = {V}, extra = {extra}"
        if error := call.error({}, V, extra):
            raise Broken("it has no answer when nothing was counted", f"{seen} it raised {error}")
        got = expect.numbers(call({}, V, extra), V, seen)
        expect.equal(
            got,
            [1 / V] * V,
            seen,
            "where nothing was counted all tokens must be equally likely",
            known=(([0.0] * V, "where nothing was counted it gives no token any probability"),),
        )


@smoothed.property("each count grows by extra, and nothing else changes")
def smooth_values(call, draw):
    """Compare, from extra = 0 to a very large one, and name the known slips."""
    for counts, V in some_counts(draw):
        total = sum(counts.values())
        plain_shares = [counts.get(token, 0) / total for token in range(V)]
        for extra in (0.3, 2, 0, 2000, 1e9, 1e99):
            seen = f"for counts {counts}, V = {V}, extra = {extra:g}"
            mixed = [(1 - min(extra, 1)) * share + min(extra, 1) / V for share in plain_shares]
            expect.equal(
                expect.numbers(call(counts, V, extra), V, seen),
                smooth_right(counts, V, extra),
                seen,
                "a count grows by something else than extra",
                known=(
                    (smooth_right(counts, V, 1), "it adds 1, whatever extra is"),
                    (smooth_right(counts, V, extra / V), "it shares extra out among the tokens"),
                    (
                        smooth_right(counts, V, extra * total),
                        "extra is added to the shares, not to the counts",
                    ),
                    ([1 / V] * V, "with a large extra the law is quite even, not nearly"),
                    (mixed, "it mixes in an even law of weight extra"),
                    (plain_shares, "where all tokens came, or one, extra is left out"),
                    (
                        in_order_of_counting(counts, V, extra),
                        "the right probabilities stand at the wrong places: token i has place i",
                    ),
                ),
            )


@smoothed.property("an extra of 0 gives the plain shares, and the smallest one has its effect")
def smallest_extra(call, draw):
    """Exactly 0 for what never came, and the right part of a tiny extra."""
    for counts, V in some_counts(draw):
        for extra in (0, 1e-3, 1e-9, 1e-99):
            seen = f"for counts {counts}, V = {V}, extra = {extra:g}"
            got = expect.numbers(call(counts, V, extra), V, seen)
            right = smooth_right(counts, V, extra)
            for token in set(range(V)) - set(counts):
                if not math.isclose(got[token], right[token], rel_tol=1e-6):
                    raise Broken(
                        "a token that never came has another probability than a tiny extra gives it"
                        if extra
                        else "with extra = 0 a token that never came has a probability",
                        f"{seen}: token {token} has {got[token]:g}, right is {right[token]:g}",
                    )
