"""What several checks of lesson 03 need."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken
from helpers.exercises.plain import show


def unchanged(after, before, seen: str, fault: str) -> None:
    """Raise Broken unless the answer gives the same as before."""
    if not expect.close(after, before):
        raise Broken(fault, f"{seen} it gives {show(after)}, before {show(before)}")


ROW = ([1.0, 3.0, 2.0, 9.0], 2)


def rows(draw: torch.Generator) -> list[tuple[list[float], int]]:
    """Return (scores, t): a fixed row, the smallest, and drawn ones, all scores above 0."""
    found = [ROW, ([0.5], 0)]
    for length, t in ((5, 3), (6, 0), (4, 3)):
        quarters = torch.randint(1, 13, (length,), generator=draw)
        found.append(((quarters / 4).tolist(), t))
    return found


def finite(call, fault: str, seen: str, *arguments):
    """Return what the answer gives, or raise Broken with this fault where powers of e overflow or
    are all 0.
    """
    if call.error(*arguments) in ("OverflowError", "ZeroDivisionError"):
        raise Broken(fault, seen)
    row = call(*arguments)
    if isinstance(row, torch.Tensor) and not row.isfinite().all():
        raise Broken(fault, seen)
    return row


NOUGHT = "a visible score of exactly 0 is taken for a hidden one"
OVERFLOW = "large scores overflow: subtract the largest one before you take powers"
CUT = "scores are cut off at a bound: their differences must count, however large they are"
SMALL = "it is wrong for small scores already: mend that first"


def last(draw: torch.Generator, T: int, D: int, Dv: int) -> list[torch.Tensor]:
    """Return query [D], keys [T, D], values [T, Dv]."""
    return [torch.randn(shape, generator=draw) for shape in ((D,), (T, D), (T, Dv))]


def mixed_up(query: torch.Tensor, keys: torch.Tensor) -> torch.Tensor:
    """Return the keys in an order in which their scores rise, fall and rise again."""
    return keys[(keys @ query).argsort().roll(3)]


def average(query, keys, values, scale: float) -> torch.Tensor:
    """Return the context row in double precision."""
    return (keys.double() @ query.double() * scale).softmax(0) @ values.double()


def without_noughts(query, keys, values, scale: float) -> torch.Tensor:
    """Return the context row that leaves out keys whose score is exactly 0; NaN if all are."""
    scores = keys.double() @ query.double() * scale
    return scores.masked_fill(scores == 0, -torch.inf).softmax(0) @ values.double()


def exact(draw: torch.Generator, scores: list[float]) -> list[torch.Tensor]:
    """Return a query [4], keys and values [T, 3] with these scores, without any rounding.

    The division by the root of the width, which is 2, is done: scores [T].
    """
    query = torch.tensor([2.0, 0.0, 0.0, 0.0])
    keys = torch.randint(-4, 5, (len(scores), 4), generator=draw).float()
    keys[:, 0] = torch.tensor(scores)
    return [query, keys, torch.randn(len(scores), 3, generator=draw)]
