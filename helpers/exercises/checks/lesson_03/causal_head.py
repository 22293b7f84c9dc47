"""Exercise 03.3: a head from scratch."""

import torch

from helpers.decoder import attention, masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_03.shared import CUT, NOUGHT, OVERFLOW, SMALL, finite
from helpers.exercises.exercise import Broken, Exercise, WrongForm

causal_head = Exercise(
    "03.3",
    "causal_head",
    title="A head from scratch",
    minutes=10,
    level="medium",
    points=3,
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


def context(call, x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    """Return the answer's context rows, after a look at their form."""
    rows = call(x, *weights)
    seen = f"for T = {len(x)}"
    if isinstance(rows, torch.Tensor) and rows.dim() == 2 and len(rows) > 1:
        if rows[0].isnan().all() and not rows[1:].isnan().any():
            raise WrongForm("the first row is 0/0: everything is hidden from it, even itself", seen)
    return expect.tensor(rows, (len(x), weights[-1].shape[1]), seen=seen)


def moved(call, x: torch.Tensor, *weights: torch.Tensor) -> torch.Tensor:
    """Return the table of influence, bool [T, T]: whether row t moves with token s."""
    x = x / 2  # small scores, so that every visible token has a weight to speak of
    before = context(call, x, *weights)
    columns = []
    for s in range(len(x)):
        other = x.clone()
        other[s] += 1
        columns.append(((context(call, other, *weights) - before).abs() > 1e-5).any(dim=1))
    return torch.stack(columns, dim=1)


@causal_head.property("it has one row of values for each token")
def head_form(call, draw):
    """[T, C] -> [T, Dv]."""
    for T, Dv in ((4, 2), (1, 3), (3, 1), (1, 1)):
        context(call, *head(draw, T, 3, 3, Dv))


@causal_head.property("equal values come out as they went in, so a row of weights sums to 1")
def head_sums(call, draw):
    """Give x a column of ones, and let only that column reach the values."""
    x, Wq, Wk, Wv = head(draw, 5, 3, 2, 2)
    x[:, 0] = 1
    Wv[1:] = 0
    scores = (x @ Wq) @ (x @ Wk).T / 2**0.5
    columns = scores.masked_fill(~masks.causal(5), float("-inf")).softmax(0) @ (x @ Wv)
    expect.equal(
        context(call, x, Wq, Wk, Wv),
        Wv[0].double().expand(5, 2),
        "with T = 5 and all values equal",
        "the weights of a row do not sum to 1: is something taken away after the softmax?",
        known=((columns.double(), "softmax runs down the columns: let it run along the keys"),),
    )


@causal_head.property("no row depends on a later token")
def head_no_leak(call, draw):
    """The leak test."""
    table = moved(call, *head(draw, 5, 3, 3, 2))
    leaks = (table & ~masks.causal(5)).nonzero().tolist()
    if not leaks:
        return
    row, token = leaks[0]
    seen = f"with T = 5, row {row} moves when token {token} is changed"
    if torch.equal(table, torch.ones(5, 5).tril(1).bool()):
        raise Broken("a row also sees the token after its own: the triangle is one too wide", seen)
    if not table.tril(-1).any():
        raise Broken("rows see the future in place of the past: the triangle is transposed", seen)
    raise Broken("a row changes with a later token: the future must have no part in it", seen)


@causal_head.property("every row depends on every token up to its own")
def head_mirror(call, draw):
    """The mirror test."""
    table = moved(call, *head(draw, 5, 3, 3, 2))
    blind = (~table & masks.causal(5)).nonzero().tolist()
    if blind:
        row, token = blind[0]
        fault = "a row does not notice a token that came before"
        if all(row == token for row, token in blind):
            fault = "a row does not notice its own token, which it may see"
        raise Broken(fault, f"with T = 5, row {row} stays the same when token {token} is changed")


@causal_head.property("the weights are softmax(q k / sqrt(width of q)), the result their average")
def head_values(call, draw):
    """Compare with the formula, and name the known slips."""
    for T, C, D in ((4, 3, 2), (6, 4, 8), (40, 6, 1)):
        x, Wq, Wk, Wv = head(draw, T, C, D, 5)
        query, key, value = (x.double() @ weights.double() for weights in (Wq, Wk, Wv))

        def slip(query, key, scale, mask, value=value):
            scores = (query @ key.T * scale).masked_fill(~mask, float("-inf"))
            return scores.softmax(-1) @ value

        causal = masks.causal(T)
        right = attention.attention(query[None, None], key[None, None], value[None, None], causal)[
            0, 0
        ]
        of_x, width = slip(query, key, C**-0.5, causal), slip(query, key, 1 / D, causal)
        expect.equal(
            context(call, x, Wq, Wk, Wv),
            right,
            f"for T = {T}, C = {C}, D = {D}",
            known=(
                (slip(query, key, 1, causal), "the scores are not divided by anything"),
                (of_x, "the scores are divided by the root of x's width"),
                (width, "the scores are divided by the width, not its root"),
                (slip(query, key, 5**-0.5, causal), "the scores are divided by the root of Dv"),
                (slip(query, key, T**-0.5, causal), "the scores are divided by the root of T"),
                (slip(key, query, D**-0.5, causal), "queries and keys have changed places"),
                (slip(query, key, D**-0.5, causal | True), "nothing is hidden at all"),
            ),
        )


LOUD = "beside a loud later score the visible weights vanish: hide before the softmax, not after"
FILL = "what hides the future is not low enough: only -inf lies below every score"


@causal_head.property("it holds for every score: for 0, and far above and far below 0")
def head_scores(call, draw):
    """Scores of 0; large visible ones; a loud future; visible ones far below 0."""
    one, two, values = torch.ones(1, 1), torch.eye(2), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    cases = [
        (two + 1, two, two, values, "", SMALL),
        (two, two, two, values, NOUGHT, SMALL),
        (two, 0 * two, two, values, NOUGHT, SMALL),
    ]
    for x in ([14.0, 13.0], [140.0, 139.0, 120.0]):
        cases.append((torch.tensor(x)[:, None], one, one, one, OVERFLOW, "large scores go wrong"))
    for later in (300.0, 1e4):
        cases.append((torch.tensor([[1.0], [later]]), one, one, one, LOUD, FILL))
    for size in (20.0, 1e3, 1e6):
        cases.append((size * two, two, -two, two, "with scores far below 0 it is 0/0", FILL))
    for x, Wq, Wk, Wv, undefined, fault in cases:
        scores = (x @ Wq).double() @ (x @ Wk).double().T / Wq.shape[1] ** 0.5
        value, hidden = (x @ Wv).double(), ~masks.causal(len(x))

        def rows(scores, hidden=hidden, value=value):
            return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ value

        right = rows(scores)
        seen = f"for x = {x.tolist()}, Wq = {Wq.tolist()}, Wk = {Wk.tolist()}"
        given = (x, Wq, Wk, Wv)
        got = finite(call, undefined, seen, *given) if undefined else call(*given)
        known = [(rows(scores.masked_fill(scores == 0, float("-inf"))), NOUGHT)]
        if undefined is OVERFLOW:
            known.append((rows(0 * scores), CUT))
        expect.equal(expect.tensor(got, right.shape, seen=seen), right, seen, fault, known, 1e-4)
