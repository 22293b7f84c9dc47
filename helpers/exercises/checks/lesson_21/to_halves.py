"""Exercise 21.2: move the lanes."""

import torch

from helpers.decoder.rotary import Rotary, lane_order, rotate, rotation
from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

to_halves = Exercise(
    "21.2",
    "to_halves",
    title="Move the lanes",
    minutes=6,
    level="medium",
    points=2,
    hints=(
        "For one head with D = 6: which lanes turn together in the file, and where must the two of "
        "a pair stand when lane i turns with lane i + 3?",
        "One head of D = 6 has its rows in the order 0, 2, 4, 1, 3, 5. A head's rows stay in that "
        "head. With D = 2 nothing moves.",
        "heads = weight.unflatten(0, (G, -1)); the even lanes are heads[:, 0::2], the odd ones "
        "heads[:, 1::2]; join them along axis 1, and flatten the heads again.",
    ),
)


def reordered(weight: torch.Tensor, G: int, order) -> torch.Tensor:
    """Return the rows of each head in another order."""
    return weight.unflatten(0, (G, -1))[:, order].flatten(0, 1)


def slips(weight: torch.Tensor, G: int) -> list[tuple[torch.Tensor, str]]:
    """Return what known slips give, each with its name."""
    D = len(weight) // G
    right, back = lane_order("halves", D), lane_order("pairs", D)
    columns = weight.shape[1]
    across = torch.arange(columns)
    return [
        (weight, "no row is moved"),
        (reordered(weight, G, back), "it goes the other way: from halves to pairs"),
        (
            weight[lane_order("halves", len(weight))] if len(weight) % 2 == 0 else weight,
            "rows leave their head: the lanes of each head are sorted by themselves",
        ),
        (reordered(weight, G, right.roll(D // 2)), "the odd lanes stand before the even ones"),
        (
            weight[:, torch.cat([across[0::2], across[1::2]])],
            "the columns are moved: a lane of a head is a row",
        ),
        (reordered(weight, G, torch.arange(D).flip(0)), "the rows of a head are reversed"),
    ]


@to_halves.property("the rows of each head come in the order even lanes, odd lanes")
def rows(call, draw):
    """Drawn matrices with one head and several; D = 2 moves nothing."""
    for G, D, C in ((1, 6, 4), (2, 8, 5), (3, 6, 8), (3, 2, 3), (2, 4, 1)):
        weight = torch.randn(G * D, C, generator=draw)
        seen = f"for G = {G}, D = {D}, C = {C}"
        found = expect.tensor(call(weight, G), weight.shape, seen=seen)
        right = reordered(weight, G, lane_order("halves", D)).double()
        known = [(value.double(), words) for value, words in slips(weight, G)]
        expect.equal(found, right, f"{seen}:", "a row stands where another belongs", known)


@to_halves.property("turned as halves, it gives the scores that the file's rows give as pairs")
def same_scores(call, draw):
    """Queries and keys of one head, moved and turned."""
    D, T, C = 8, 5, 6
    x = torch.randn(T, C, generator=draw)
    query, key = torch.randn(2, D, C, generator=draw).unbind()

    def scores(a, b, layout):
        turn = rotation(torch.arange(T)[None], Rotary(base=10.0, layout=layout), D)
        a, b = (rotate((x.double() @ w.double().T)[None, None], turn) for w in (a, b))
        return (a @ b.mT)[0, 0]

    moved = [expect.tensor(call(w, 1), (D, C), seen="for one head") for w in (query, key)]
    expect.equal(
        scores(*moved, "halves"),
        scores(query, key, "pairs"),
        "for one head of D = 8 and five tokens:",
        "the scores of the moved rows are other scores",
    )
