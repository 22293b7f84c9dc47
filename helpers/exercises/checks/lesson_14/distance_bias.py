"""Exercise 14.3: a learned bias, laid out for queries and keys."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm

distance_bias = Exercise(
    "14.3",
    "distance_bias",
    title="A number for each distance",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "First the distances alone: a whole number for each query and key. Where does query i "
        "stand among the keys?",
        "With one query and keys keys it is the table itself, turned around: the last key is at "
        "distance 0. With as many queries as keys the diagonal is the table's first row.",
        "back = query_at[:, None] - torch.arange(keys), with query_at the last `queries` places; "
        "table[back.clamp(0, reach - 1)] is [Tq, Tk, H]; permute it, and fill where back < 0.",
    ),
)

SIZES = ((4, 5, 5), (4, 2, 5), (3, 1, 6), (6, 3, 3), (1, 4, 4), (2, 1, 1))  # reach, queries, keys


def back(queries: int, keys: int) -> torch.Tensor:
    """Return how far each key lies before each query."""
    return torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)


def laid_out(table: torch.Tensor, distances: torch.Tensor) -> torch.Tensor:
    """Return the bias, with minus infinity where the distance is negative."""
    found = table.double()[distances.clamp(0, len(table) - 1)].permute(2, 0, 1)
    return found.masked_fill(distances < 0, -math.inf)


def of(call, table: torch.Tensor, queries: int, keys: int) -> torch.Tensor:
    """Return the answer's bias, after a look at its form."""
    shape = (table.shape[1], queries, keys)
    seen = f"for a table of {len(table)} distances, {queries} queries and {keys} keys"
    got = call(table, queries, keys)
    moved = (queries, keys, table.shape[1])
    if isinstance(got, torch.Tensor) and tuple(got.shape) == moved != shape:
        raise WrongForm("the heads stand last: move their axis to the front", seen)
    return expect.tensor(got, shape, seen=seen, infinite=True)


def tables(draw: torch.Generator) -> list[tuple[torch.Tensor, int, int]]:
    """Return tables [reach, H] with numbers of queries and keys."""
    return [(torch.randn((reach, 2), generator=draw), q, k) for reach, q, k in SIZES]


@distance_bias.property("it is a tensor [H, Tq, Tk]")
def bias_form(call, draw):
    """All three lengths different."""
    for table, queries, keys in tables(draw):
        of(call, table, queries, keys)


@distance_bias.property("the future is minus infinity, and nothing else is")
def bias_future(call, draw):
    """The queries are the last of the keys."""
    for table, queries, keys in tables(draw):
        got = of(call, table, queries, keys)
        hidden = (back(queries, keys) < 0).expand_as(got)
        seen = f"for {queries} queries and {keys} keys"
        top_left = torch.arange(queries)[:, None] < torch.arange(keys)
        if torch.equal(got == -math.inf, top_left.expand_as(got)) and queries < keys:
            raise Broken("the queries are taken for the first of the keys: they are the last", seen)
        if (got[hidden] != -math.inf).any():
            raise Broken("a key in the future has a finite number", seen)
        if (got[~hidden] == -math.inf).any():
            raise Broken("a key that is not in the future is hidden", seen)


@distance_bias.property("each number depends on head and distance, and is the table's")
def bias_values(call, draw):
    """Against the table, with known slips by name."""
    for table, queries, keys in tables(draw):
        got = of(call, table, queries, keys)
        distances = back(queries, keys)
        right = laid_out(table, distances)
        if expect.close(got, right):
            continue
        hidden = distances < 0
        reach = len(table)
        flipped = laid_out(table.flip(0), distances)
        wrapped = laid_out(table, distances % reach).masked_fill(hidden, -math.inf)
        nothing = torch.where(distances < reach, right, 0.0).masked_fill(hidden, -math.inf)
        ahead = laid_out(table, distances + 1).masked_fill(hidden, -math.inf)
        expect.equal(
            got,
            right,
            f"for a table of {reach} distances, {queries} queries and {keys} keys",
            "it is another number than the table has for this distance",
            known=(
                (flipped, "the table is read from its end: its first row is distance 0"),
                (wrapped, "beyond the reach it begins anew: what is further shares the last row"),
                (nothing, "beyond the reach there is no bias: what is further shares the last row"),
                (ahead, "distances are counted from 1: a token is at distance 0 from itself"),
                (right.flip(0), "the heads are in reverse order"),
            ),
        )


@distance_bias.property("one head is an axis as well")
def bias_one_head(call, draw):
    """H = 1."""
    table = torch.randn(2, 1, generator=draw)
    for queries, keys in ((1, 2), (3, 3)):
        got = call(table, queries, keys)
        if isinstance(got, torch.Tensor) and got.shape == (queries, keys):
            raise Broken("with one head the axis for the heads is left out", f"{queries}, {keys}")
        right = laid_out(table, back(queries, keys))
        expect.equal(of(call, table, queries, keys), right, "for one head:", "it differs")
