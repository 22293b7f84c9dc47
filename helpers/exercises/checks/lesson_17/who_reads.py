"""Exercise 17.4: who reads which head?"""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import attend, loud, normal
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
OWN = "only the head that neighbours should share is tried, and all others are possible"
FORWARD = "heads are taken to be read in order: a later query head may read an earlier one"
FEW = "a head that differs at one position of many is not seen: an average hides it"
NEAR = "what nearly fits is taken to fit: differences of more than 0.001 count"
ONE = "one position that agrees is taken for all of them"
STRANGER = "a head that reads something else is not seen"


def forward(reads: list[int]) -> list[int]:
    """Return what is found by who never goes back to an earlier head."""
    found, at = [], 0
    for g in reads:
        found.append(g if g >= at else -1)
        at = max(at, g)
    return found


def ask(call, query, key, value, reads: list[int], fault: str, known=(), out=None) -> None:
    """Raise Broken unless the answer finds who reads whom."""
    H, G = len(query), len(key)
    if out is None:
        out = torch.stack([attend(query[h], key[g], value[g]) for h, g in enumerate(reads)])
    found = expect.wholes(call(query, key, value, out.float()), H, f"for H = {H}, G = {G}")
    expect.equal(found, reads, f"for H = {H}, G = {G}", fault, known)


def drawn(
    draw: torch.Generator, H: int, G: int, T: int = 5, D: int = 4, large: bool = False
) -> list[torch.Tensor]:
    """Return query [H, T, D], key and value [G, T, D]; no two key/value heads give the same.

    large: whether the scores are several hundred.
    """
    while True:
        query, key = normal(draw, H, T, D), normal(draw, G, T, D)
        if large:
            query, key = loud(draw, (H, T, D)), loud(draw, (G, T, D), 2)
        value = normal(draw, G, T, D)
        ways = attend(query[:, None], key, value)  # [H, G, T, D]
        gaps = (ways[:, :, None] - ways[:, None]).abs().amax((-2, -1))  # [H, G, G]
        if bool((gaps + torch.eye(G)).min() > 0.01):
            return [query, key, value]


@who_reads.property("it recognises neighbours that share")
def neighbours(call, draw):
    """As it should be."""
    for H, G in ((4, 2), (6, 3), (4, 4), (3, 1)):
        reads = [h // (H // G) for h in range(H)]
        ask(call, *drawn(draw, H, G), reads, "neighbours that share are not recognised")


@who_reads.property("it does so for texts and heads of any size, and for large scores")
def any_size(call, draw):
    """One token, one lane, one head; scores that are too large for exp."""
    for H, G, T, D in ((2, 2, 1, 3), (3, 3, 4, 1), (1, 1, 2, 2), (8, 4, 7, 3)):
        query, key, value = drawn(draw, H, G, T, D)
        reads = [h // (H // G) for h in range(H)]
        ask(call, query, key, value, reads, "for another size it errs")
    query, key, value = drawn(draw, 4, 2, large=True)
    fault = "large scores are not borne: take the largest off before exp"
    ask(call, query, key, value, [0, 0, 1, 1], fault)


@who_reads.property("it finds sharing of any other kind")
def other_kinds(call, draw):
    """In turn, backwards, and by chance."""
    for H, G in ((4, 2), (6, 3)):
        by_rule = [h // (H // G) for h in range(H)]
        for reads in (
            [h % G for h in range(H)],
            by_rule[::-1],
            torch.randperm(H, generator=draw).remainder(G).tolist(),
            [0] * H,
        ):
            own = [g if g == rule else -1 for g, rule in zip(reads, by_rule, strict=True)]
            known = ((by_rule, BY_RULE), (own, OWN), (forward(reads), FORWARD))
            ask(call, *drawn(draw, H, G), reads, "who reads whom is not found", known)
    reads = torch.randint(0, 3, (5,), generator=draw).tolist()
    ask(call, *drawn(draw, 5, 3), reads, "who reads whom is not found")


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
            ONE,
        )


@who_reads.property("a small difference counts, wherever it stands")
def small_differences(call, draw):
    """A little of another head; one number of many. A stranger and an easy case first."""
    among_four(call, draw, lambda q, k, v: 9 + v[1], "gives something strange")
    for T in (5, 300):
        query, key, value = drawn(draw, 4, 2, T)
        reads = [0, 1, 1, 0]
        out = torch.stack([attend(query[h], key[g], value[g]) for h, g in enumerate(reads)])
        ask(call, query, key, value, reads, "who reads whom is not found", out=out)
        for one in (0, T - 1):
            other = attend(query[2], key[0], value[0])
            other[one] = out[2, one]
            mixed = torch.stack([out[0], out[1], other, out[3]])
            ask(call, query, key, value, [0, 1, -1, 0], ONE, out=mixed)
        at = int(torch.randint(0, T, (), generator=draw))
        for by, fault in ((0.3, FEW), (0.003, FEW if T > 5 else NEAR)):
            other = out.clone()
            other[2, at, 1] += by
            ask(call, query, key, value, [0, 1, -1, 0], fault, out=other)
    for share in (0.05, 0.02):
        query, key, value = drawn(draw, 4, 2)
        out = torch.stack([attend(query[h], key[h // 2], value[h // 2]) for h in range(4)])
        ways = [attend(query[1], key[g], value[g]) for g in (0, 1)]
        share = max(share, 0.003 / float((ways[1] - ways[0]).abs().max()))
        out[1] = (1 - share) * ways[0] + share * ways[1]
        ask(call, query, key, value, [0, -1, 1, 1], NEAR, out=out)


@who_reads.property("rounding does not matter")
def rounding(call, draw):
    """The right numbers first, then a millionth off."""
    query, key, value = drawn(draw, 4, 2)
    reads = [h // 2 for h in range(4)]
    ask(call, query, key, value, reads, "neighbours that share are not recognised")
    out = torch.stack([attend(query[h], key[h // 2], value[h // 2]) for h in range(4)])
    fault = "the last digits decide: compare within a tolerance"
    ask(call, query, key, value, reads, fault, out=out * (1 + 2e-6) + 5e-7)
    noise = 8e-6 * (2 * torch.rand(out.shape, generator=draw) - 1)
    ask(call, query, key, value, reads, fault, out=out + noise)
