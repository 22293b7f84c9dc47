"""Exercise 17.4: who reads which head?"""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import attend, normal
from helpers.exercises.exercise import Exercise

who_reads = Exercise(
    "17.4",
    "who_reads",
    title="Who reads which head?",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "There are only G possibilities for each query head. What would come out for each of them?",
        "Do not assume neighbours: the point is to find an implementation that shares wrongly. And "
        "a head that reads none of them, or half of two, is -1.",
        "For each h and g compute attention of query[h] over key[g], value[g] without a mask, and "
        "compare with out[h] by torch.allclose(..., atol=1e-4).",
    ),
)

BY_RULE = "it says what should be, and does not look at what is"
NEAREST = "the nearest head is named, although it does not fit"
STRANGER = "a head that reads something else is not seen"


def ask(call, query, key, value, reads: list[int], fault: str, known=(), out=None) -> None:
    """Raise Broken unless the answer finds who reads whom."""
    H, G = len(query), len(key)
    if out is None:
        out = torch.stack([attend(query[h], key[g], value[g]) for h, g in enumerate(reads)])
    found = expect.wholes(call(query, key, value, out.float()), H, f"for H = {H}, G = {G}")
    expect.equal(found, reads, f"for H = {H}, G = {G}", fault, known)


def drawn(draw: torch.Generator, H: int, G: int) -> list[torch.Tensor]:
    """Return query [H, 5, 4], key and value [G, 5, 4]."""
    return [normal(draw, H, 5, 4), normal(draw, G, 5, 4), normal(draw, G, 5, 4)]


@who_reads.property("it recognises neighbours that share")
def neighbours(call, draw):
    """As it should be."""
    for H, G in ((4, 2), (6, 3), (4, 4), (3, 1)):
        reads = [h // (H // G) for h in range(H)]
        ask(call, *drawn(draw, H, G), reads, "neighbours that share are not recognised")


@who_reads.property("it finds sharing of any other kind")
def other_kinds(call, draw):
    """In turn, backwards, and by chance."""
    for H, G in ((4, 2), (6, 3)):
        by_rule = [h // (H // G) for h in range(H)]
        for reads in (
            [h % G for h in range(H)],
            by_rule[::-1],
            torch.randperm(H, generator=draw).remainder(G).tolist(),
        ):
            known = ((by_rule, BY_RULE),)
            ask(call, *drawn(draw, H, G), reads, "who reads whom is not found", known)


def among_four(call, draw, wrong, seen: str, fault: str = STRANGER) -> None:
    """Ask with 4 query heads that share 2, of which head 1 gives something else.

    That something is nearer to key/value head 1 than to head 0, which the rule would name.
    """
    while True:
        query, key, value = drawn(draw, 4, 2)
        out = torch.stack([attend(query[h], key[h // 2], value[h // 2]) for h in range(4)])
        out[1] = wrong(query[1], key, value)
        gaps = [(attend(query[1], key[g], value[g]) - out[1]).abs() for g in (0, 1)]
        if gaps[0].mean() > gaps[1].mean() and gaps[0].max() > gaps[1].max():
            break
    found = expect.wholes(call(query, key, value, out.float()), 4, "for H = 4, G = 2")
    known = (([0, 0, 1, 1], BY_RULE), ([0, 1, 1, 1], NEAREST)) if fault == STRANGER else ()
    expect.equal(found, [0, -1, 1, 1], f"for H = 4, G = 2, where head 1 {seen}", fault, known)


@who_reads.property("a head that reads none of them is -1")
def none_of_them(call, draw):
    """A mixture of two heads, keys of one with values of the other, a causal mask."""
    causal = torch.ones(5, 5, dtype=torch.bool).tril()
    for seen, wrong in (
        (
            "gives a mixture of both",
            lambda q, k, v: 0.4 * attend(q, k[0], v[0]) + 0.6 * attend(q, k[1], v[1]),
        ),
        (
            "reads the keys of one and the values of the other",
            lambda q, k, v: attend(q, k[0], v[1]),
        ),
        ("looks through a causal mask", lambda q, k, v: attend(q, k[1], v[1], causal)),
    ):
        among_four(call, draw, wrong, seen)


@who_reads.property("every position counts")
def every_position(call, draw):
    """A plain stranger first; then a head that is another one's at one end of the text."""

    def switches(q, k, v, at: int, order: tuple[int, int]):
        first, second = (attend(q, k[g], v[g]) for g in order)
        return torch.cat([first[:at], second[at:]])

    among_four(call, draw, lambda q, k, v: 9 + v[1], "gives something strange")
    for at, order in ((1, (0, 1)), (4, (1, 0))):
        among_four(
            call,
            draw,
            lambda q, k, v, at=at, order=order: switches(q, k, v, at, order),
            f"reads head {order[0]} before position {at}, and head {order[1]} from there on",
            "one position that agrees is taken for all of them",
        )


@who_reads.property("rounding does not matter")
def rounding(call, draw):
    """The right numbers first, then a millionth off."""
    query, key, value = drawn(draw, 4, 2)
    reads = [h // 2 for h in range(4)]
    ask(call, query, key, value, reads, "neighbours that share are not recognised")
    out = torch.stack([attend(query[h], key[h // 2], value[h // 2]) for h in range(4)])
    fault = "the last digits decide: compare within a tolerance"
    ask(call, query, key, value, reads, fault, out=out * (1 + 2e-6) + 5e-7)
