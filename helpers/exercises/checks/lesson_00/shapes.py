"""Exercise 00.1: shapes by heart."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

shapes = Exercise(
    "00.1",
    "shapes",
    title="Shapes by heart",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Write the seven letter shapes down first: [B, T], [B, T, C] and so on. Which of the "
        "letters do batch and length stand for?",
        "Four of the seven shapes contain T: stations 1 to 4. At station 5 only the last row of "
        "each prompt is kept, so T disappears. Station 7 keeps B alone.",
        "return [[batch, length], [batch, length, 32], ...]: the shape of station 2 three times, "
        "then [batch, 32], [batch, 12], [batch].",
    ),
)


STATIONS = ("tokens", "embedding", "position", "block", "final states", "logits", "choice")


STATION_FAULTS = (
    "station 1, tokens: one id for each token of each prompt",
    "station 2, embedding: each id becomes a row of 32 numbers",
    "station 3, position: the places are added, and the shape stays",
    "station 4, block: it gives back the shape that it gets",
    "station 5, final states: of each prompt only the last row is kept",
    "station 6, logits: one score for each of the 12 words",
    "station 7, choice: one word for each prompt",
)


def seven(batch: int, length: int) -> list[list[int]]:
    """Return the right shapes."""
    rows = [[batch, length, 32]] * 3
    return [[batch, length], *rows, [batch, 32], [batch, 12], [batch]]


def shapes_of(call, batch: int, length: int) -> list[list[int]]:
    """Return the answer's shapes: seven lists of whole numbers."""
    given = f"for batch = {batch}, length = {length}"
    found = expect.items(call(batch, length), 7, given)
    return [expect.wholes(shape, seen=given) for shape in found]


def compare_shapes(call, batch: int, length: int) -> None:
    """Name the first station whose shape is not right."""
    got, right = shapes_of(call, batch, length), seven(batch, length)
    if got != right and got == seven(length, batch):
        raise Broken(
            "batch and length are exchanged: B comes first in every shape",
            f"for batch = {batch}, length = {length}: {show(got)}",
        )
    if got != right and got == seven(1, batch * length):
        raise Broken(
            "the prompts lie one behind the other in one row: each has a row of its own",
            f"for batch = {batch}, length = {length}: {show(got)}",
        )
    for station, fault in enumerate(STATION_FAULTS):
        given = f"for batch = {batch}, length = {length}:"
        expect.equal(got[station], right[station], given, fault)


@shapes.property("it returns seven lists of whole numbers")
def seven_lists(call, draw):
    """Form."""
    shapes_of(call, 1, 3)


@shapes.property("shapes(1, 3) is the running table of this lesson")
def the_table(call, draw):
    """The prompt of the lesson."""
    compare_shapes(call, 1, 3)


@shapes.property("exactly four of the seven change with the length")
def four_change(call, draw):
    """Two lengths, one batch."""
    batch, length = torch.randint(2, 9, (2,), generator=draw).tolist()
    pairs = zip(shapes_of(call, batch, length), shapes_of(call, batch, length + 1), strict=True)
    changed = [name for name, (a, b) in zip(STATIONS, pairs, strict=True) if a != b]
    if len(changed) != 4:
        raise Broken(
            "the number of shapes that change with the length is not four",
            f"from length {length} to {length + 1} these change: {', '.join(changed) or 'none'}",
        )


@shapes.property("all seven change with the batch, and fit prompts of any number and length")
def any_prompts(call, draw):
    """Other prompts."""
    drawn = torch.randint(2, 30, (2,), generator=draw).tolist()
    for batch, length in ((2, 7), (5, 1), (1, 1), (12, 32), drawn, (1000, 500), (1, 3)):
        compare_shapes(call, batch, length)
