"""Exercise 12.2: cross-attention from scratch."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm

cross_attend = Exercise(
    "12.2",
    "cross_attend",
    title="Cross-attention from scratch",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Take the unmasked head of lesson 03. At which two places does x become source?",
        "With a source of one row every softmax has one entry, 1, so every output row must be "
        "that row's value. And shuffling the source's rows must change nothing.",
        "query = x @ Wq, key = source @ Wk, value = source @ Wv. Then softmax over the keys "
        "(dim=-1) of query @ key.T divided by the root of the query's width, times value.",
    ),
)


OVER_QUERIES = "the softmax runs over the queries: each row must sum to 1 over the keys"


def two_sequences(draw: torch.Generator, Tq: int, Tk: int, C: int, D: int, Dv: int) -> list:
    """Return x [Tq, C], source [Tk, C], Wq and Wk [C, D], Wv [C, Dv]."""
    shapes = ((Tq, C), (Tk, C), (C, D), (C, D), (C, Dv))
    return [torch.randn(shape, generator=draw) for shape in shapes]


def attended(arguments: list, scale: float, hidden=None, axis: int = -1) -> torch.Tensor:
    """Return cross-attention in float64, with what may be done wrongly."""
    x, source, Wq, Wk, Wv = (argument.double() for argument in arguments)
    scores = (x @ Wq) @ (source @ Wk).T * scale
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(axis) @ (source @ Wv)


@cross_attend.property("it has one row of values for each row of x, however long the source is")
def attend_form(call, draw):
    """[Tq, C], [Tk, C] -> [Tq, Dv]."""
    for Tq, Tk in ((4, 7), (6, 2), (1, 3)):
        seen = f"for Tq = {Tq}, Tk = {Tk}, Dv = 2"
        got = call(*two_sequences(draw, Tq, Tk, 3, 3, 2))
        if isinstance(got, torch.Tensor) and list(got.shape) == [Tk, 2]:
            raise WrongForm("it has a row for each row of the source: x must ask", seen)
        expect.tensor(got, (Tq, 2), seen=seen)


@cross_attend.property("with a source of one row, every row is that row's value")
def attend_one_row(call, draw):
    """Whatever is asked."""
    arguments = two_sequences(draw, 4, 1, 3, 3, 2)
    right = (arguments[1].double() @ arguments[4].double()).expand(4, 2)
    own = (arguments[0].double() @ arguments[4].double()).expand(4, 2)
    expect.equal(
        expect.tensor(call(*arguments), (4, 2)),
        right,
        "for Tq = 4, Tk = 1:",
        fault="with one row to look at it gives something else than that row's value",
        known=(
            (own, "the values come from x, and they must come from the source"),
            (attended(arguments, 3**-0.5, axis=0), OVER_QUERIES),
        ),
    )


@cross_attend.property("every row looks at every row of the source, in whatever order they stand")
def attend_sees_all(call, draw):
    """No mask towards the source, and no places."""
    x, source, *weights = two_sequences(draw, 4, 6, 3, 3, 2)
    x = x / 4  # so that no weight is too small to be noticed
    plain = expect.tensor(call(x, source, *weights), (4, 2))
    for changed in range(6):
        other = source.clone()
        other[changed] += 1
        after = expect.tensor(call(x, other, *weights), (4, 2))
        still = ((after - plain).abs() < 1e-6).all(dim=1)
        seen = f"for Tq = 4, Tk = 6 and source row {changed}"
        if still.all():
            raise Broken("no row notices a row of the source", seen)
        if still.any():
            raise Broken(
                "some rows notice a row of the source and others do not: hide nothing there",
                f"{seen}, row {int(still.nonzero()[0])} does not",
            )
    for turn in (1, 2, 5):
        other = expect.tensor(call(x, source.roll(turn, 0), *weights), (4, 2))
        if not expect.close(other, plain):
            raise Broken(
                "it changes when the source's rows are shuffled: to attention they are a bag",
                f"for Tq = 4, Tk = 6, the source rolled by {turn}",
            )


@cross_attend.property("shuffling the rows of x shuffles the result in the same way")
def attend_shuffled(call, draw):
    """Each row asks for itself."""
    x, source, *weights = two_sequences(draw, 4, 6, 3, 3, 2)
    plain = expect.tensor(call(x, source, *weights), (4, 2))
    for turn in (1, 2, 3):
        other = expect.tensor(call(x.roll(turn, 0), source, *weights), (4, 2))
        if not expect.close(other, plain.roll(turn, 0)):
            raise Broken(
                "the rows of the result do not follow the rows of x when those are shuffled",
                f"for Tq = 4, Tk = 6, x rolled by {turn}",
            )


@cross_attend.property("the weights are softmax(q k / sqrt(width of q)), the result their average")
def attend_values(call, draw):
    """Compare with the formula, and name the known slips; also where source = x."""
    for Tq, Tk, C, D in ((4, 5, 3, 2), (3, 7, 4, 8), (5, 5, 4, 3)):
        arguments = two_sequences(draw, Tq, Tk, C, D, 6)
        if Tq == Tk:
            arguments[1] = arguments[0].clone()
        right = attended(arguments, D**-0.5)
        expect.equal(
            expect.tensor(call(*arguments), (Tq, 6)),
            right,
            f"for Tq = {Tq}, Tk = {Tk}, C = {C}, D = {D}{', source = x' * (Tq == Tk)}:",
            known=(
                (attended(arguments, 1), "the scores are not divided by anything"),
                (
                    attended(arguments, C**-0.5),
                    "the scores are divided by the root of the width of x",
                ),
                (
                    attended(arguments, 6**-0.5),
                    "the scores are divided by the root of the width of the values",
                ),
                (attended(arguments, 1 / D), "the scores are divided by the width, not its root"),
                (
                    attended(arguments, D**-0.5, axis=0),
                    OVER_QUERIES,
                ),
            ),
        )


@cross_attend.property("no score is too large")
def attend_large(call, draw):
    """A score of 400 beside one of 0."""
    one = torch.eye(1)
    got = call(torch.tensor([[20.0]]), torch.tensor([[20.0], [0.0]]), one, one, one)
    seen = "for x [[20]], source [[20], [0]] and weights of 1"
    if isinstance(got, torch.Tensor) and got.isnan().any():
        raise Broken("a large score overflows: subtract the largest before exp", seen)
    expect.equal(
        expect.tensor(got, (1, 1)), torch.tensor([[20.0]]).double(), seen, "a large score is lost"
    )
