"""Exercise 15.4: the rows of a weight, from one layout to the other."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_15.shared import speeds, turned
from helpers.exercises.exercise import Broken, Exercise, WrongForm

rows_for_halves = Exercise(
    "15.4",
    "rows_for_halves",
    title="Weights from a stranger",
    minutes=12,
    level="hard",
    points=3,
    hints=(
        "Row r of the weight makes lane r of the queries. Which lanes of a head does the layout "
        "pairs turn together, and where must those two stand in the layout halves?",
        "For one head and D = 4 the rows come in the order 0, 2, 1, 3. For two heads 0, 2, 1, 3, "
        "4, 6, 5, 7: no row leaves its head.",
        "weight.view(H, D // 2, 2, -1) names the head, the pair and which of the two. Swap the two "
        "middle axes, and put it together again with reshape(weight.shape).",
    ),
)


def order(H: int, D: int, first: str = "halves") -> torch.Tensor:
    """Return the order of the rows, [H * D]; or the way back, for first = "pairs"."""
    within = torch.arange(D).view(-1, 2).T if first == "halves" else torch.arange(D).view(2, -1).T
    return (torch.arange(H)[:, None] * D + within.flatten()).flatten()


def of(call, weight: torch.Tensor, H: int) -> torch.Tensor:
    """Return the answer's weight, after a look at its form."""
    seen = f"for a weight {list(weight.shape)} and {H} heads"
    return expect.tensor(call(weight, H), weight.shape, seen=seen)


def weights(draw: torch.Generator) -> list[tuple[torch.Tensor, int]]:
    """Return weights [H * D, C] with their number of heads."""
    C = int(torch.randint(1, 7, (), generator=draw))
    sizes = ((2, 6, 8), (2, 4, 5), (1, 4, 3), (3, 8, 2), (2, 2, 4), (1, 12, C), (5, 6, 10))
    return [(torch.randn((H * D, C), generator=draw), H) for H, D, C in sizes]


def by_columns(H: int, D: int, C: int) -> torch.Tensor | None:
    """Return the order of the rows where a head is taken to be C / H wide; None if none is."""
    width = C // H
    if width < 2 or width % 2 or H * D % width:
        return None
    return order(H * D // width, width)


@rows_for_halves.property("every row is there once, and no row leaves its head")
def rows_kept(call, draw):
    """Rows are numbered in their first column."""
    before = set()  # numbers of rows
    for weight, H in weights(draw):
        D, C = len(weight) // H, weight.shape[1]
        numbered = weight.clone()
        numbered[:, 0] = torch.arange(len(weight))
        seen = f"for {H} heads of width {D}"
        found = call(numbered, H)
        if isinstance(found, torch.Tensor) and found.dim() == 2:
            if len(found) in before and len(found) != len(weight):
                raise WrongForm("it has as many rows as an earlier weight, not as this one", seen)
        got = expect.tensor(found, weight.shape, seen=f"for a weight {list(weight.shape)}, H = {H}")
        before.add(len(weight))
        rows = got[:, 0].round().long()
        if torch.equal(rows, order(1, H * D)) and H > 1:
            raise Broken("all heads are reordered as if they were one", seen)
        other = by_columns(H, D, C)
        if other is not None and torch.equal(rows, other) and not torch.equal(rows, order(H, D)):
            fault = "the width of a head is taken from the columns: the rows make the heads"
            raise Broken(fault, f"{seen} and {C} columns")
        if sorted(rows.tolist()) != list(range(len(weight))):
            raise Broken("a row is missing, or stands there twice", seen)
        if not torch.equal(rows // D, torch.arange(H).repeat_interleave(D)):
            raise Broken("a row stands in another head than before", seen)
        expect.equal(
            rows,
            order(H, D),
            seen,
            "the rows of a head are in another order than even ones first, then odd ones",
            known=(
                (torch.arange(H * D), "the rows stay as they are"),
                (order(H, D, "pairs"), "this is the way back, from halves to pairs"),
            ),
        )


@rows_for_halves.property("every row comes out whole and unchanged")
def rows_whole(call, draw):
    """Rows are numbered in their first column, so that each is known wherever it stands."""
    for weight, H in weights(draw):
        numbered = weight.clone()
        numbered[:, 0] = torch.arange(len(weight))
        got = of(call, numbered, H)
        rows = got[:, 0].round().long().clamp(0, len(weight) - 1)
        fault = "the numbers of a row are not the ones that went in"
        expect.equal(got, numbered.double()[rows], f"for {H} heads:", fault)


@rows_for_halves.property("the dtype stays, and every number to its last bit")
def rows_bits(call, draw):
    """As files hold them: 16 bits of either kind, and float64."""
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        weight = (torch.randn((12, 3), generator=draw).double() + 0.1).to(dtype)
        weight[0], weight[7] = 0, weight[7] * 1e-3
        seen = f"for 2 heads of width 6 in {str(dtype).removeprefix('torch.')}"
        found = call(weight, 2)
        expect.tensor(found, weight.shape, seen=seen)
        if found.dtype != dtype:
            raise WrongForm("the rows come back in another dtype than the file's", seen)
        right = weight[order(2, 6)]
        if expect.close(found, right) and not torch.equal(found, right):
            raise Broken("numbers are rounded on the way: a row stays as it is", seen)


@rows_for_halves.property("the scores of the two layouts are equal")
def rows_scores(call, draw):
    """Queries and keys, turned, then compared."""
    for H, D in ((1, 4), (2, 8)):
        x = torch.randn((5, 6), generator=draw).double()
        made = [torch.randn((H * D, 6), generator=draw) for _ in range(2)]
        angles = torch.arange(5)[:, None] * speeds(D)

        def scores(layout, ours, x=x, angles=angles, D=D):
            query, key = (
                turned((x @ w.double().T).view(5, -1, D).transpose(0, 1), angles, layout)
                for w in ours
            )
            return query @ key.transpose(-2, -1)  # [H, T, T]

        theirs = scores("pairs", made)
        ours = scores("halves", [of(call, w, H) for w in made])
        fault = "the same model has other scores after the change"
        expect.equal(ours, theirs, f"for {H} heads of width {D}:", fault, tolerance=1e-4)
