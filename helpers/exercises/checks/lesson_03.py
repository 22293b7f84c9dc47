"""Checks of the exercises of lesson 03, causal attention."""

import torch

from helpers import attention, masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

causal_head = Exercise(
    "03.3",
    "causal_head",
    title="A head from scratch",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Six steps: three projections, scores, hide, softmax, average. Which of them is the only "
        "one in which a token meets another?",
        "Test your scores before the softmax: entry (t, s) must be -inf exactly where s is greater "
        "than t. After the softmax every row sums to 1, and the first row is [1, 0, 0, ...].",
        "scores = query @ key.T / sqrt(width of the queries). Hide what torch.triu(..., "
        "diagonal=1) marks by masked_fill(..., -inf). Then softmax(dim=-1), times value.",
    ),
)


def head(draw: torch.Generator, T: int, C: int, D: int, Dv: int) -> list[torch.Tensor]:
    """Return x [T, C], Wq and Wk [C, D], Wv [C, Dv]."""
    shapes = ((T, C), (C, D), (C, D), (C, Dv))
    return [torch.randn(shape, generator=draw) for shape in shapes]


@causal_head.property("it has one row of values for each token")
def form(call, draw):
    """[T, C] -> [T, Dv]."""
    for T, Dv in ((4, 2), (1, 3)):
        expect.tensor(call(*head(draw, T, 3, 3, Dv)), (T, Dv), seen=f"for T = {T}")


@causal_head.property("no row depends on a later token")
def no_leak(call, draw):
    """Change the last token; earlier rows stay."""
    x, *weights = head(draw, 5, 3, 3, 2)
    before = expect.tensor(call(x, *weights), (5, 2))
    for changed in range(1, 5):
        other = x.clone()
        other[changed] += 1
        after = expect.tensor(call(other, *weights), (5, 2))
        if not expect.close(after[:changed], before[:changed]):
            row = int(((after - before)[:changed].abs() > 1e-5).any(dim=1).nonzero()[0])
            raise Broken(
                "a row changes with a later token: the future must be hidden before the softmax",
                f"with T = 5, row {row} moved when token {changed} was changed",
            )


@causal_head.property("every row depends on every token up to its own")
def mirror(call, draw):
    """Change token s; all rows from s on move."""
    x, *weights = head(draw, 5, 3, 3, 2)
    before = expect.tensor(call(x, *weights), (5, 2))
    for changed in range(5):
        other = x.clone()
        other[changed] += 1
        after = expect.tensor(call(other, *weights), (5, 2))
        still = ((after - before)[changed:].abs() < 1e-6).all(dim=1)
        if still.any():
            row = changed + int(still.nonzero()[0])
            raise Broken(
                "a row does not notice a token that it may see",
                f"with T = 5, row {row} stayed the same when token {changed} was changed",
            )


@causal_head.property("the weights are softmax(q k / sqrt(width of q)), the result their average")
def values(call, draw):
    """Compare with the formula, and name the known slips."""
    for T, C, D in ((4, 3, 2), (6, 4, 8)):
        x, Wq, Wk, Wv = head(draw, T, C, D, 3)
        query, key, value = (x.double() @ weights.double() for weights in (Wq, Wk, Wv))

        def average(scale, query=query, key=key, value=value, T=T):
            scores = (query @ key.T * scale).masked_fill(~masks.causal(T), float("-inf"))
            return scores.softmax(-1) @ value

        right = attention.attention(
            query[None, None], key[None, None], value[None, None], masks.causal(T)
        )[0, 0]
        expect.equal(
            expect.tensor(call(x, Wq, Wk, Wv), (T, 3)),
            right,
            f"for T = {T}, C = {C}, D = {D}:",
            known=(
                (average(1), "the scores are not divided by anything"),
                (average(C**-0.5), "the scores are divided by the root of the width of x"),
                (average(1 / D), "the scores are divided by the width itself, not by its root"),
            ),
        )


EXERCISES = (causal_head,)
