"""Exercise 24b.5: an order without a memory."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_24b.shared import draw_whole
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

batch_at = Exercise(
    "24b.5",
    "batch_at",
    title="An order without a memory",
    minutes=12,
    level="hard",
    points=3,
    hints=(
        "How many whole batches has a round? From that and the step: which round is it, and which "
        "batch of the round?",
        "10 rows in batches of 4: two batches a round, two rows are left out. Step 5 is batch 1 of "
        "round 2, whose order is drawn with seed + 2.",
        "per = n // size; order = torch.randperm(n, generator=torch.Generator().manual_seed(seed + "
        "step // per)); at = step % per * size; return order[at : at + size].tolist().",
    ),
)


def order(n: int, seed: int) -> list[int]:
    """Return the order of a round that is drawn with this seed."""
    return torch.randperm(n, generator=torch.Generator().manual_seed(seed)).tolist()


def rows(n: int, size: int, seed: int, step: int, per: int | None = None) -> list[int]:
    """Return the rows of a step. per: batches of a round, the whole ones if None."""
    per = n // size if per is None else per
    at = step % per * size
    return order(n, seed + step // per)[at : at + size]


def taken(order_of, per_of=lambda n, size: n // size):
    """Return an answer that takes each round's order from order_of(n, seed, round, step)."""

    def answer(n: int, size: int, seed: int, step: int) -> list[int]:
        per = per_of(n, size)
        at = step % per * size
        return order_of(n, seed, step // per, step)[at : at + size]

    return answer


SLIPS = {
    "each round has an order of its own: seed + round": taken(lambda n, s, turn, t: order(n, s)),
    "the order is that of the round, not of the step": taken(lambda n, s, turn, t: order(n, s + t)),
    "the first round is drawn with the seed itself": taken(
        lambda n, s, turn, t: order(n, s + turn + 1)
    ),
    "the seed of a round is seed + round": taken(lambda n, s, turn, t: order(n, s * 1000 + turn)),
    "it is drawn anew at each step: rows come twice in a round": lambda n, size, s, t: order(
        n, s + t
    )[:size],
    "a batch does not go over the end of a round": lambda n, size, s, t: [
        order(n, s + k // n)[k % n] for k in range(t * size, (t + 1) * size)
    ],
    "steps are counted from 0": lambda n, size, s, t: rows(n, size, s, max(0, t - 1)),
    "steps are counted from 0, and this is the next one": lambda n, size, s, t: rows(
        n, size, s, t + 1
    ),
    "the rows of a batch keep the order that was drawn": lambda n, size, s, t: sorted(
        rows(n, size, s, t)
    ),
    "the rows are not shuffled": taken(lambda n, s, turn, t: list(range(n))),
}
PROBES = [(12, 4, 5, 0), (12, 4, 5, 1), (10, 4, 6, 1), (10, 4, 6, 2), (10, 4, 6, 5), (6, 6, 7, 3)]


def compare(call, n: int, size: int, seed: int, step: int) -> None:
    """Compare for one step, and name the known slips."""
    seen = f"for {n} rows, batches of {size}, step {step}"
    got = expect.items(call(n, size, seed, step), None, seen)
    if len(got) != size:
        raise Broken("a batch has `size` rows, also at the end of a round", seen)
    got, wanted = expect.wholes(got, size, seen), rows(n, size, seed, step)
    if got == wanted:
        return
    fault = slip_of(call, PROBES, SLIPS)
    if not fault:
        per = -(-n // size)
        kept = n % size and got == rows(n, size, seed, step, per) and len(call(10, 4, 6, 2)) == 4
        fault = "the short batch at a round's end is left out" if kept else ""
    if not fault and call(n, size, seed, step) != got:
        fault = "the same step gives other rows when it is asked again"
    fault = fault or "these are not the rows of that step"
    raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(wanted)}")


@batch_at.property("the first round")
def first_round(call, draw):
    """All steps of it, where batches divide the rows."""
    seed = draw_whole(draw, 0, 10**6)
    for step in range(3):
        compare(call, 12, 4, seed, step)
    compare(call, 12, 4, 0, 0)


@batch_at.property("later rounds, and rows that are left over")
def later(call, draw):
    """Sizes that do not divide; the last step of a round and the first of the next."""
    seed = draw_whole(draw, 0, 10**6)
    for n, size in ((10, 4), (13, 3), (9, 5)):
        per = n // size
        for step in (per - 1, per, 2 * per - 1, 2 * per, 5 * per + 1):
            compare(call, n, size, seed, step)


@batch_at.property("batches of one row, and of all rows")
def ends(call, draw):
    """size = 1, size = n, and a single row."""
    seed = draw_whole(draw, 0, 10**6)
    compare(call, 6, 1, seed, 8)
    compare(call, 6, 6, seed, 3)
    compare(call, 1, 1, seed, 4)


@batch_at.property("any step comes out by itself, also one far away")
def by_itself(call, draw):
    """Backwards, a million steps on, and again the first: nothing is remembered."""
    seed = draw_whole(draw, 0, 10**6)
    for step in (1_000_003, 17, 4, 0):
        compare(call, 40, 7, seed, step)
    compare(call, 5000, 64, seed, 123_456)
