"""Exercise 24b.4: how many blocks to run again at once."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_24b.shared import draw_whole
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

best_group = Exercise(
    "24b.4",
    "best_group",
    title="Which inputs to keep",
    minutes=12,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Large groups have few inputs and a large inside, small ones many inputs and a small "
        "inside. Write down both for groups of 1, 2, 3 ... blocks.",
        "16 blocks with an inside of 1: groups of 4 keep 4 inputs and 4 insides, 8 in all. Groups "
        "of 3 make 6 groups, the last of one block: 6 + 3 is 9.",
        "min over g from 1 to blocks of (-(-blocks // g) + inside * g, g); return [g, states].",
    ),
)


def states(blocks: int, inside: float, group: int) -> float:
    """Return the states kept at the most: an input for each group, and one group's inside."""
    return -(-blocks // group) + inside * group


def best(blocks: int, inside: float) -> list:
    """Return the smallest best group and its states."""
    least = min(states(blocks, inside, g) for g in range(1, blocks + 1))
    return [
        next(g for g in range(1, blocks + 1) if states(blocks, inside, g) == least),
        least,
    ]


def least(blocks: int, kept, groups=None) -> list:
    """Return the first g with the fewest states by another count, and that count."""
    g = min(groups or range(1, blocks + 1), key=kept)
    return [g, kept(g)]


def by_root(round_it):
    """Return an answer that trusts a root."""

    def answer(blocks: int, inside: float) -> list:
        g = max(1, min(blocks, round_it((blocks / inside) ** 0.5)))
        return [g, states(blocks, inside, g)]

    return answer


SLIPS = {
    "of groups that are equally good the smallest is asked for": lambda n, x: least(
        n, lambda g: states(n, x, g), range(n, 0, -1)
    ),
    "a last group that is not full has an input as well": lambda n, x: least(
        n, lambda g: n // g + x * g
    ),
    "there is no part of a group: its input is kept or not": lambda n, x: least(
        n, lambda g: n / g + x * g
    ),
    "the root is cut off to a whole number; the best may be another one": by_root(int),
    "the root is rounded to a whole number; the best may be another one": by_root(round),
    "how large the inside is has to count": lambda n, x: [
        round(n**0.5),
        states(n, x, round(n**0.5)),
    ],
    "the insides of all groups are never there at once": lambda n, x: least(
        n, lambda g: -(-n // g) + x * n
    ),
    "it is the worst": lambda n, x: (
        [least(n, lambda g: -states(n, x, g))[0], -least(n, lambda g: -states(n, x, g))[1]]
    ),
    "groups need not divide the blocks": lambda n, x: least(
        n, lambda g: states(n, x, g), [g for g in range(1, n + 1) if n % g == 0]
    ),
    "the inside is missing from the states": lambda n, x: [
        best(n, x)[0],
        best(n, x)[1] - x * best(n, x)[0],
    ],
    "the inputs are missing from the states": lambda n, x: [best(n, x)[0], x * best(n, x)[0]],
}
PAIRS = (
    (16, 1),
    (12, 16),
    (100, 4),
    (30, 0.25),
    (17, 1),
    (23, 2),
    (7, 1.5),
    (2, 1),
    (12, 2),
    (9, 100),
    (9, 0.01),
)


def compare(call, blocks: int, inside: float, seen: str) -> None:
    """Compare group and states, and name the known slips."""
    got = expect.items(call(blocks, inside), 2, seen)
    wanted = best(blocks, inside)
    found = expect.whole(got[0], f"{seen}, the group")
    if not 1 <= found <= blocks:
        raise Broken("a group has 1 to all blocks", f"{seen} it gives {found}")
    number = expect.number(got[1], f"{seen}, the states")
    if found == wanted[0] and expect.close(number, wanted[1], 1e-9):
        return
    other = "it is another group" if found != wanted[0] else "the states are others"
    fault = slip_of(call, PAIRS, SLIPS) or other
    raise Broken(fault, f"{seen} it gives {show([found, number])}, right is {show(wanted)}")


@best_group.property("it weighs inputs against insides")
def weighs(call, draw):
    """Insides small and large, and blocks that no group divides."""
    for blocks, inside in PAIRS:
        compare(call, blocks, inside, f"for {blocks} blocks and inside {inside}")


@best_group.property("one block, one group, and groups of one")
def ends(call, draw):
    """A single block; an inside so small that all are one group, and so large that each is."""
    compare(call, 1, 16, "for 1 block and inside 16")
    compare(call, 9, 0.01, "for 9 blocks and inside 0.01")
    compare(call, 9, 100, "for 9 blocks and inside 100")


@best_group.property("it finds the best group of any number of blocks")
def any_number(call, draw):
    """Drawn blocks and insides that binary numbers hold exactly; up to a thousand blocks."""
    for most in (10, 60, 300, 1000):
        blocks, inside = draw_whole(draw, 2, most), draw_whole(draw, 1, 63) / 4
        compare(call, blocks, inside, f"for {blocks} blocks and inside {inside:g}")
