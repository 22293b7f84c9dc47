"""Exercise 13.5: who has seen everything?."""

import math

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_13.shared import diagnose
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

knows_all = Exercise(
    "13.5",
    "knows_all",
    title="Who has seen everything?",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "After one block, t depends on what the mask says. After two, on whatever those depend on. "
        "Which product of tables adds one step to every path?",
        "With no block a state depends on its own token alone: start from the identity. A block "
        "can only add: no place ever gets lost. For a causal mask the answer is [T - 1] for any "
        "number of blocks.",
        "reach = torch.eye(T, dtype=torch.bool). Each block: reach = (mask.float() @ "
        "reach.float()) > 0. The answer is the list of rows of reach that are True all along.",
    ),
)


def chain(T: int) -> torch.Tensor:
    """Each token sees itself and the next one, the last one only itself."""
    return torch.eye(T, dtype=torch.bool) | torch.eye(T, dtype=torch.bool).roll(1, 1).triu()


def ring(T: int) -> torch.Tensor:
    """Each token sees itself and the next one, the last one the first."""
    return torch.eye(T, dtype=torch.bool) | torch.eye(T, dtype=torch.bool).roll(1, 1)


def drawn_mask(draw, T: int) -> torch.Tensor:
    """Return a mask of few squares, in which each token sees itself."""
    return (torch.rand(T, T, generator=draw) < 0.3) | torch.eye(T, dtype=torch.bool)


def steps_to(mask: torch.Tensor, blocks: int) -> list[set[int]]:
    """Return for each place the tokens that its state can depend on."""
    sees = [[s for s, may in enumerate(row) if may] for row in mask.tolist()]
    seen = [{t} for t in range(len(mask))]
    for _ in range(blocks):
        seen = [set().union(*(seen[s] for s in row)) for row in sees]
    return seen


def knowing(mask: torch.Tensor, blocks: int) -> list[int]:
    """Return the places that know all."""
    return [t for t, seen in enumerate(steps_to(mask, blocks)) if len(seen) == len(mask)]


def places_after(call, mask: torch.Tensor, blocks: int) -> list[int]:
    """Return the answer's places, in order."""
    given = f"for T = {len(mask)}, blocks = {blocks}"
    got = expect.wholes(call(mask, blocks), seen=given)
    if any(not 0 <= place < len(mask) for place in got):
        raise Broken("it returned a place that does not exist", f"{given}: {show(got)}")
    if len(set(got)) < len(got):
        raise Broken("it returned a place twice", f"{given}: {show(got)}")
    if got != sorted(got):
        raise Broken("the places do not stand in ascending order", f"{given}: {show(got)}")
    return got


def named(mask: torch.Tensor) -> str:
    """Return a mask in digits."""
    return f"mask {show(mask.int().tolist(), 140)}"


def window_case(T: int, W: int, blocks: int) -> tuple:
    """Return a causal window, its name, and the number of blocks."""
    return masks.window(T, width=W), f"a causal window of {W}", blocks


def compare(call, cases: list[tuple], fault: str) -> None:
    """Compare with what is right for (mask, its name, blocks), and name the known slips."""
    found = []
    for mask, name, blocks in cases:
        known = (
            (knowing(mask.T, blocks), "rows and columns are exchanged: True at (t, s) = t sees s"),
            (knowing(mask, 1), "it looks at the mask once, whatever the number of blocks"),
            (knowing(mask, blocks + 1), "it goes one step too many: a block is one step"),
            (knowing(mask, max(blocks - 1, 0)), "it goes one step too few: a block is one step"),
            (knowing(mask, 2**blocks), "each block doubles the steps: multiply by the mask itself"),
            (knowing(mask, len(mask)), "it goes on until nothing changes: count the blocks"),
            (knowing(mask, max(blocks, 1)), "no block at all is taken as one block"),
        )
        given = f"for T = {len(mask)}, {name}, blocks = {blocks}:"
        found.append((places_after(call, mask, blocks), knowing(mask, blocks), given, known))
    diagnose(found, fault)


@knows_all.property("a causal mask: only the last place, for any number of blocks")
def causal_last(call, draw):
    """Causal, 1 to many blocks."""
    for T in (2, 5):
        for blocks in (1, 2, 7):
            fault = "causal: the last place, and no other, knows all"
            got = places_after(call, masks.causal(T), blocks)
            expect.equal(got, [T - 1], f"for T = {T}, blocks = {blocks}:", fault)


@knows_all.property("no mask: all places, after one block already")
def all_places(call, draw):
    """The full square."""
    for T in (1, 2, 5):
        for blocks in (1, 3):
            fault = "without a mask every place knows all, from the first block on"
            got = places_after(call, torch.ones(T, T, dtype=torch.bool), blocks)
            expect.equal(got, list(range(T)), f"for T = {T}, blocks = {blocks}:", fault)


@knows_all.property("no block: a token knows itself alone")
def no_block(call, draw):
    """blocks = 0, with other cases that tell a special 0 from a wrong count."""
    cases = [(torch.ones(T, T, dtype=torch.bool), "no mask", 0) for T in (1, 3)]
    if any(places_after(call, mask, 0) != knowing(mask, 0) for mask, _, _ in cases):
        cases += [window_case(T, W, blocks) for T, W, blocks in ((3, 2, 1), (5, 2, 2), (5, 3, 3))]
        compare(call, cases, "without a block every state is that of its own token alone")


@knows_all.property("a window of W needs (T - 1) / (W - 1) blocks, rounded up")
def windows(call, draw):
    """All numbers of blocks from 1 to one more than are needed."""
    cases = [
        window_case(T, W, blocks)
        for T, W in ((5, 2), (6, 3), (7, 3), (9, 4))
        for blocks in range(1, math.ceil((T - 1) / (W - 1)) + 2)
    ]
    compare(call, cases, "a causal window gives its last place a wrong number of blocks")


@knows_all.property("each block is one step along the mask, in its direction")
def one_step(call, draw):
    """Chains, rings and drawn masks."""
    cases = [
        (mask, named(mask), blocks)
        for mask in (chain(4), ring(5), chain(4).T, ring(4).T)
        for blocks in range(1, len(mask) + 1)
    ]
    for T in (4, 5, 6, 6):
        mask = drawn_mask(draw, T)
        cases += [(mask, named(mask), blocks) for blocks in (1, 2, 3)]
    compare(call, cases, "the places are not those that see everything")


@knows_all.property("very many blocks are no problem")
def many_blocks(call, draw):
    """Counts of paths overflow unless they are made True or False in between."""
    square = torch.ones(4, 4, dtype=torch.bool)
    for mask, blocks in (
        (masks.causal(6), 400),
        (ring(6), 1001),
        (square, 1000),
        (masks.prefix(torch.tensor([3]), 6)[0, 0], 1000),
        (masks.prefix(torch.tensor([39]), 40)[0, 0], 1000),
    ):
        few, got = (places_after(call, mask, n) for n in (len(mask), blocks))
        fault = "after very many blocks the places are other ones"
        if few == knowing(mask, len(mask)):
            fault = "very many blocks are too much for it: keep True and False, not counts of paths"
        expect.equal(got, knowing(mask, blocks), f"for T = {len(mask)}, blocks = {blocks}:", fault)
