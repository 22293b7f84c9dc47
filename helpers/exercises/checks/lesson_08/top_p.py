"""Exercise 08.3: top-p for whole batches."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_08.shared import INFINITY, random_law
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

top_p = Exercise(
    "08.3",
    "top_p",
    title="Top-p for whole batches",
    minutes=15,
    level="medium",
    points=3,
    hints=(
        "Of each word ask: what do the likelier ones have together? A word is needed as long as "
        "they have not reached p. In which order must the words stand to ask that of all at once?",
        "For p = 0 exactly one word stays, the likeliest. Every row of a batch alone gives what it "
        "gives in the batch. Whoever shuffles a row gets the same words, shuffled: so the mask "
        "must go back from the sorted order to the order of ids.",
        "order = logits.sort(dim=-1, descending=True, stable=True).indices; ordered = "
        "softmax(...).gather(-1, order); keep = ordered.cumsum(-1) - ordered < p; keep[..., 0] = "
        "True; zeros.scatter(-1, order, keep) puts it back; masked_fill the rest. p = 1 needs a "
        "line of its own, since a sum can round to 1 too early.",
    ),
)


def cut(call, logits: torch.Tensor, p: float) -> torch.Tensor:
    """Call the answer; return a tensor of the same shape, float64, perhaps with -inf."""
    seen = f"for {show(logits)}, p {p:g}"
    got = expect.tensor(call(logits, p), logits.shape, seen=seen, infinite=True)
    if (got == INFINITY).any():
        raise Broken("a word gets plus infinity", seen)
    return got


def finite(row: torch.Tensor) -> list[int]:
    """Return the ids that stay in a row."""
    return (row > -INFINITY).nonzero().flatten().tolist()


def nucleus(row: torch.Tensor, p: float, sign: int = -1) -> list[int]:
    """Return the ids that must stay, from the likeliest on; with sign 1 the tail in its place."""
    law = row.double().softmax(dim=-1).tolist()
    order = sorted(range(len(law)), key=lambda token: (sign * row[token].item(), token))
    if p == 1:
        return order
    kept, together = [], 0.0
    for token in order:
        kept.append(token)
        together += law[token]
        if together >= p:
            break
    return kept


def compare_top_p(call, logits: torch.Tensor, p: float) -> None:
    """Compare the ids that stay in one row; name the known slips."""
    right = nucleus(logits, p)
    n, V = len(right), len(logits)
    order = nucleus(logits, 1)
    expect.equal(
        finite(cut(call, logits, p)),
        sorted(right),
        f"for the law {show(logits.softmax(dim=-1))}, p {p:g}, the ids that stay:",
        "it does not keep the fewest likeliest words that reach p",
        known=(
            ([], "no word is left: at least the likeliest must stay"),
            (sorted(order), "nothing is removed"),
            (sorted(right[:-1]), "the word with which the sum reaches p is missing"),
            (sorted(order[: n + 1]), "one word too many stays: those before it reach p already"),
            (sorted(nucleus(logits, p, sign=1)), "the tail stays and the head is removed"),
            (list(range(n)), "the right number of words, but the first ids: the mask is not put "
             "back from the sorted order"),
            (list(range(V - n, V)), "the right number of words, but the last ids"),
        ),
    )  # fmt: skip


@top_p.property("it gives logits of the same shape")
def top_p_form(call, draw):
    """[V], [B, V], [A, B, V]."""
    for shape in ((5,), (2, 4), (2, 1, 3)):
        cut(call, torch.randn(shape, generator=draw), 0.6)


@top_p.property("a removed word gets minus infinity, every other one keeps its logit")
def top_p_values(call, draw):
    """C22: not a small number, not a probability."""
    for logits in (torch.tensor([0.0, 2.0, -1.0, 1.0]), 2 * torch.randn(6, generator=draw)):
        got = cut(call, logits, 0.7)
        other = (got > -INFINITY) & ((got - logits.double()).abs() > 1e-6)
        if not other.any():
            continue
        stay = nucleus(logits, 0.7)
        removed = torch.ones_like(other).scatter(0, torch.tensor(stay), False)
        filled = len(set(got[removed].tolist())) == 1 and not other[stay].any()
        raise Broken(
            "a removed word gets a finite logit, and so can still come"
            if filled
            else "what stays has another value than its logit",
            f"for {show(logits)}, p 0.7 it gives {show(got)}",
        )


@top_p.property("it keeps the fewest likeliest words that together reach p")
def top_p_kept(call, draw):
    """Unsorted laws; sums that reach p exactly."""
    hand = torch.tensor([0.07, 0.22, 0.05, 0.40, 0.12, 0.01, 0.10, 0.03]).log()
    for logits, shares in (
        (hand, (0.3, 0.7, 0.9)),
        (torch.tensor(random_law(draw, 7)).log(), (0.45, 0.65, 0.85)),
        (torch.zeros(4), (0.5,)),
        (torch.tensor([-INFINITY, 1.0, -INFINITY, 1.0]), (0.5,)),
    ):
        for p in shares:
            compare_top_p(call, logits, p)


@top_p.property("at least one word stays, however small p is")
def top_p_one(call, draw):
    """C18: 0, 1e-8, and an almost flat row of 4096."""
    flat = 1e-3 * torch.randn(4096, generator=draw)
    law = torch.tensor([0.15, 0.5, 0.05, 0.3]).log()
    for logits, p in ((law, 0), (law, 1e-8), (flat, 0.0), (flat, 1e-4)):
        ids = finite(cut(call, logits, p))
        best = int(logits.argmax())
        if ids == [best]:
            continue
        fault = "for a tiny p not exactly the likeliest word stays"
        if not ids:
            fault = "no word is left: at least the likeliest must stay"
        raise Broken(fault, f"for {show(logits)}, p {p:g} stays {show(ids)}, right is [{best}]")


@top_p.property("of equal logits those with lower ids stay")
def top_p_ties(call, draw):
    """The lesson's tie, and 40 equal ones."""
    for logits, p, right in (
        (torch.tensor([1.0, 2.0, 1.0, 2.0]), 0.3, [1]),
        (torch.tensor([1.0, 2.0, 1.0, 2.0]), 0.8, [0, 1, 3]),
        (torch.zeros(40), 0.51, list(range(21))),
        (torch.tensor([1.0, 2.0, 2.0]), 0.0, [1]),
    ):
        expect.equal(
            finite(cut(call, logits, p)),
            right,
            f"for {show(logits)}, p {p:g}, the ids that stay:",
            "where logits are equal, other words stay than the rule says",
            known=(
                ([], "no word is left: at least the likeliest must stay"),
                (list(range(len(logits))), "nothing is removed"),
                (nucleus(logits, p)[:-1], "the word with which the sum reaches p is missing"),
                (
                    finite(logits.masked_fill(logits < logits[right].min(), -INFINITY)),
                    "all words stay that equal the last one: the fewest are asked for",
                ),
                (sorted(nucleus(logits, p, sign=1)), "the tail stays and the head is removed"),
            ),
        )


@top_p.property("a row of a batch gives what it gives alone")
def top_p_rows(call, draw):
    """[2, 3, V] against its rows."""
    logits = 2 * torch.randn(2, 3, 5, generator=draw)
    got = cut(call, logits, 0.7)
    for i in range(2):
        for j in range(3):
            expect.equal(
                finite(got[i, j]),
                finite(cut(call, logits[i, j], 0.7)),
                f"for row [{i}, {j}] of logits [2, 3, 5], {show(logits[i, j])}, p 0.7, the ids:",
                "a row of a batch keeps other words than alone: sort and sum along the last axis",
            )


@top_p.property("p = 1 removes nothing, however small a probability is")
def top_p_off(call, draw):
    """Sums that round to 1 too early."""
    tail = torch.tensor([-40.0, 0.0, -60.0, -1.0])
    for logits in (torch.randn(6, generator=draw), tail):
        ids = finite(cut(call, logits, 1))
        if ids != list(range(len(logits))):
            raise Broken(
                "p = 1 removes words: the sum rounds to 1 before they come",
                f"for {show(logits)} the ids {ids} stay",
            )
