"""Exercise 22.5: how many rows keep the processor busy."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

enough_rows = Exercise(
    "22.5",
    "enough_rows",
    title="How many rows keep the processor busy?",
    minutes=20,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "Write both times as functions of the rows B. Which parts of them grow with B, and which "
        "part is there for one row as for a hundred?",
        "Put the answer back: at B rows arithmetic takes at least as long as reading, at B - 1 it "
        "does not. Where a row's cache takes at least as long to read as the row to calculate, "
        "more rows never help: None.",
        "gain = 2 * (weights + attention) * bandwidth - cache * speed must be above 0; the answer "
        "is read * speed over gain, rounded up, and with whole numbers -(-a // b) rounds up.",
    ),
)


def fewest(given: dict, *, operations: int = 2, cache: bool = True, attention: bool = True):
    """Return the smallest number of rows or None; the switches are there for known slips."""
    multiply_adds = given["weights"] + attention * given["attention"]
    gain = operations * multiply_adds * given["bandwidth"] - cache * given["cache"] * given["speed"]
    return None if gain <= 0 else -(-given["read"] * given["speed"] // gain)


def drawn(draw: torch.Generator, low: int, high: int) -> int:
    """Return a drawn whole number, both ends included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def machine(draw: torch.Generator, **more: int) -> dict:
    """Return a drawn model and machine: memory is slow beside arithmetic."""
    weights = 1000 * drawn(draw, 1500, 2000)
    return {
        "weights": weights,
        "read": weights * drawn(draw, 2, 4),
        "cache": 1000 * drawn(draw, 8, 12),
        "attention": 1000 * drawn(draw, 300, 500),
        "speed": 10**6 * drawn(draw, 900, 1500),
        "bandwidth": 10**6 * drawn(draw, 15, 20),
    } | more


NOTHING = "it returned nothing (None), and there is such a number of rows"


def compare(call, given: dict, seen: str, nothing: str = NOTHING) -> None:
    """Compare the number, and name the known slips."""
    wanted, found = fewest(given), call(given)
    if wanted is None:
        if found is not None:
            fault = "each row's cache takes as long as its arithmetic or longer: None is right"
            raise Broken(fault, f"{seen} it gives {found}")
        return
    if found is None:
        raise Broken(nothing, seen)
    expect.equal(
        expect.whole(found, seen),
        wanted,
        f"{seen}:",
        "at that number of rows arithmetic is not for the first time as long as reading",
        known=(
            (wanted - 1, "one row too few: reading still takes longer there"),
            (wanted + 1, "one row too many: the row before is enough"),
            (fewest(given, operations=1), "a multiply-add is two operations"),
            (fewest(given, cache=False), "each row has a cache to read as well"),
            (fewest(given, attention=False), "attention is arithmetic too"),
        ),
    )


@enough_rows.property("without a cache and attention: the plain crossing")
def plain(call, draw):
    """Weights alone."""
    for _ in range(3):
        compare(call, machine(draw, cache=0, attention=0), "without cache and attention")


@enough_rows.property("each row brings arithmetic, and a cache to read")
def with_cache(call, draw):
    """All parts."""
    for _ in range(4):
        compare(call, machine(draw), "with cache and attention")


@enough_rows.property("where both take exactly as long, it is enough")
def tie(call, draw):
    """Small whole numbers, so that rounding plays no part."""
    rows = drawn(draw, 6, 12)
    given = {"weights": 6, "attention": 2, "cache": 3, "speed": 4, "bandwidth": 2}
    compare(call, given | {"read": 5 * rows}, f"for a tie at {rows} rows")
    given |= {"cache": 5, "speed": 3, "bandwidth": 1, "read": 2 * rows}
    seen = "for a row whose arithmetic is just a little longer than its cache"
    compare(call, given, seen, "where each row gains a little, enough rows gain enough")


@enough_rows.property("one row may be enough, and no number of rows may be")
def ends(call, draw):
    """Fast memory; and long texts."""
    compare(call, machine(draw, bandwidth=10**12), "for a very fast memory")
    given = machine(draw)
    own = 2 * (given["weights"] + given["attention"])
    compare(call, given | {"cache": own}, "for a cache of many bytes a row")
    small = {"weights": 6, "attention": 2, "cache": 8, "speed": 4, "bandwidth": 2, "read": 12}
    compare(call, small, "for a row whose cache takes as long as its arithmetic")


@enough_rows.property("very many rows may be needed")
def many_rows(call, draw):
    """Ten thousand and twenty thousand."""
    given = {"weights": 1, "attention": 0, "cache": 0, "speed": 1, "bandwidth": 1}
    for rows in (10_000, 20_000):
        got = call(given | {"read": 2 * rows})
        if got is None:
            raise Broken("a large number of rows is taken for never", f"for {rows:,} rows")
        expect.equal(expect.whole(got), rows, f"for {rows:,} rows:", "it is another number of rows")
