"""Exercise 04.4: where do I stand?."""

from collections.abc import Sequence

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show

packed_positions = Exercise(
    "04.4",
    "packed_positions",
    title="Where do I stand?",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "A position is a distance: from the column where the text begins to the column where you "
        "are. How do you see in document_ids that a text begins?",
        "Every row begins with 0, and so does every text. Within a text each position is one more "
        "than the one before.",
        "begins = the first column, and every column whose id differs from its left neighbour's. "
        "Write the column's number where a text begins and 0 elsewhere; torch.cummax(..., dim=1) "
        "carries the latest beginning to the right. Subtract it from the column's number.",
    ),
)


def packed(lengths: Sequence[int], ids: Sequence[int]) -> list[int]:
    """Return the ids of one row of texts."""
    return [number for number, length in zip(ids, lengths, strict=True) for _ in range(length)]


def counted(begins: Sequence[int], T: int) -> torch.Tensor:
    """Return positions counted from the latest of some columns."""
    return torch.tensor([t - max(b for b in begins if b <= t) for t in range(T)])


def positions(call, document_ids: list[list[int]]) -> torch.Tensor:
    """Return the answer's positions, after a look at their form."""
    given, seen = torch.tensor(document_ids), f"for {show(document_ids)}"
    found = call(given)
    positions = expect.tensor(found, given.shape, "int", seen)
    if found.dtype != torch.int64:
        raise WrongForm("the positions are short whole numbers where int64 is asked for", seen)
    return positions


@packed_positions.property("a row with one text counts 0, 1, 2 to its end")
def positions_one(call, draw):
    """Whatever its id is."""
    for T, number in ((5, 0), (1, 0), (4, 3), (300, 7)):
        count = torch.arange(T)
        expect.equal(
            positions(call, [[number] * T, [number] * T])[1],
            count,
            f"for {show([number] * T)}, the second row",
            "one text alone does not count 0, 1, 2",
            known=(
                (count + 1, "the count begins at 1: the first position is 0"),
                (count + T, "a row goes on counting where the row before it ended"),
                (count * (number != 0), "the text with id 0 is taken for padding"),
            ),
        )


@packed_positions.property("each text counts from 0")
def positions_texts(call, draw):
    """Several texts, of different lengths, with different ids."""
    for lengths, ids in (
        ((2, 3), (0, 1)),
        ((3, 1, 2), (0, 1, 2)),
        ((1, 1, 1, 3), (0, 1, 2, 3)),
        (torch.randint(1, 5, (4,), generator=draw).tolist(), (0, 1, 2, 3)),
    ):
        row = packed(lengths, ids)
        T = len(row)
        begins = [sum(lengths[:n]) for n in range(len(lengths))]
        right = counted(begins, T)
        early = counted([0, *(b - 1 for b in begins[1:])], T)
        late = counted([0, *(b + 1 for b in begins[1:])], T)
        expect.equal(
            positions(call, [row])[0],
            right,
            f"for {row}",
            "a text does not count 0, 1, 2 from its own beginning",
            known=(
                (torch.arange(T), "the count goes on from text to text"),
                (right + 1, "the count begins at 1: the first position is 0"),
                (early, "the new count begins one token early, in the text before"),
                (late, "the new count begins one token late"),
                (torch.arange(T) % lengths[0], "every text is taken to be as long as the first"),
            ),
        )


@packed_positions.property("another text in front moves nothing")
def positions_in_front(call, draw):
    """The same texts, first alone, then behind another one."""
    alone = [4, 4, 4, 6, 6]
    before = positions(call, [alone])[0]
    for front in ([2], [2, 2, 2]):
        after = positions(call, [front + alone])[0, len(front) :]
        if not torch.equal(after, before):
            raise Broken(
                "a text's positions depend on what stands in front of it",
                f"{alone} has {show(before)}; behind {front} it has {show(after)}",
            )


@packed_positions.property("an id is only a name: larger or smaller does not matter")
def positions_names(call, draw):
    """Ids that fall, jump, and lie below 0."""
    rising = positions(call, [[0, 0, 1, 1, 1, 2]])[0]
    already = "it is wrong for the ids 0, 1, 2 already: mend that first"
    expect.equal(rising, torch.tensor([0, 1, 0, 1, 2, 0]), "for [0, 0, 1, 1, 1, 2]", already)
    for row in ([5, 5, 3, 3, 3, 0], [7, 7, 900, 900, 900, 8], [-1, -1, -2, -2, -2, 4]):
        got = positions(call, [row])[0]
        if not torch.equal(got, rising):
            raise Broken(
                "other names for the same texts give other positions",
                f"{row} has {show(got)}; [0, 0, 1, 1, 1, 2] has {show(rising)}",
            )
    for first, second in ((2**24, 2**24 + 1), (2**53, 2**53 + 1), (2**32, 0), (2**62, 2**62 - 1)):
        row = [first, first, second, second, second, 7]
        got = positions(call, [row])[0]
        if not torch.equal(got, rising):
            raise Broken(
                "two large ids are taken for the same: compare them as int64, not as floats",
                f"{row} has {show(got)}; [0, 0, 1, 1, 1, 2] has {show(rising)}",
            )


@packed_positions.property("each row counts by its own texts")
def positions_rows(call, draw):
    """A batch is the same as its rows one by one."""
    batch = [[0, 0, 0, 1, 1], [0, 1, 1, 1, 2], [3, 3, 3, 3, 3]]
    together = positions(call, batch)
    first = torch.tensor([0, 1, 2, 0, 1])
    if torch.equal(together, first.expand_as(together)):
        raise Broken("every row gets the positions of the first one", f"for {batch}")
    for row, got in zip(batch, together, strict=True):
        alone = positions(call, [row])[0]
        if not torch.equal(got, alone):
            raise Broken(
                "a row's positions change with the other rows of the batch",
                f"{row} alone has {show(alone)}; in a batch it has {show(got)}",
            )
