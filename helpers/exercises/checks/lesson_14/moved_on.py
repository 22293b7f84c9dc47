"""Exercise 14.4: sinusoidal rows, some tokens further on."""

import torch

from helpers.decoder.positions import sinusoidal_table
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

moved_on = Exercise(
    "14.4",
    "moved_on",
    title="Move on without knowing where you are",
    minutes=12,
    level="hard",
    points=3,
    hints=(
        "A pair of columns holds sin(a) and cos(a) of one angle a. What are sin(a + b) and "
        "cos(a + b), in terms of those two numbers and of b?",
        "With steps = 0 the rows come back as they are. With C = 2, the row [0, 1] of position 0 "
        "must become [sin(steps), cos(steps)].",
        "For pair i: b = steps / 10000 ** (2 * i / C). The new sine is sin * cos(b) + cos * "
        "sin(b), the new cosine cos * cos(b) - sin * sin(b). Sines stand in rows[:, 0::2].",
    ),
)


def turned(rows: torch.Tensor, steps: float, speeds: torch.Tensor) -> torch.Tensor:
    """Return rows whose pairs were turned by steps * speeds."""
    sines, cosines = rows.double()[:, 0::2], rows.double()[:, 1::2]
    b = steps * speeds
    new = (sines * b.cos() + cosines * b.sin(), cosines * b.cos() - sines * b.sin())
    return torch.stack(new, dim=-1).flatten(1)


def speeds_of(C: int) -> torch.Tensor:
    """Return radians a token for each pair of columns."""
    return 1 / 10000 ** (torch.arange(0, C, 2, dtype=torch.float64) / C)


def cases(draw: torch.Generator) -> list[tuple[torch.Tensor, torch.Tensor, int]]:
    """Return positions, their rows and a number of steps."""
    found = []
    for C, steps in ((8, 3), (2, 1), (6, -2), (12, 17)):
        at = torch.randperm(30, generator=draw)[:4] + 5
        found.append((at, sinusoidal_table(64, C)[at], steps))
    return found


def of(call, rows: torch.Tensor, steps: int) -> torch.Tensor:
    """Return the answer's rows, after a look at their form."""
    seen = f"for rows of shape {list(rows.shape)} and {steps} steps"
    return expect.tensor(call(rows, steps), rows.shape, seen=seen)


@moved_on.property("it keeps the shape, and 0 steps change nothing")
def moved_form(call, draw):
    """Also one row alone."""
    for _, rows, _ in cases(draw):
        got = of(call, rows, 0)
        expect.equal(got, rows.double(), "for 0 steps", "0 steps change the rows")
        of(call, rows[:1], 2)


@moved_on.property("the rows come out that stand `steps` further on in the table")
def moved_values(call, draw):
    """Forwards and backwards, with the slips by name."""
    for at, rows, steps in cases(draw):
        C = rows.shape[1]
        right = sinusoidal_table(64, C).double()[at + steps]
        got = of(call, rows, steps)
        speeds = speeds_of(C)
        columns = 1 / 10000 ** (torch.arange(C // 2, dtype=torch.float64) / C)
        expect.equal(
            got,
            right,
            f"for positions {at.tolist()}, C = {C} and {steps} steps:",
            "these are not the rows of the positions further on",
            known=(
                (
                    turned(rows, -steps, speeds),
                    "the rows move back: the angle has the wrong sign, or sines and cosines are "
                    "taken for one another",
                ),
                (turned(rows, steps, torch.ones(C // 2)), "all pairs turn at the same speed"),
                (turned(rows, steps, columns), "pair i turns by 10000 ** (-i / C), not by 2 i"),
                (turned(rows, steps, speeds.flip(0)), "the slow pairs stand first"),
                (rows.double(), "the rows do not move"),
            ),
        )


@moved_on.property("two moves are one: 3 steps and 4 steps are 7 steps")
def moved_twice(call, draw):
    """One after the other, against both at once."""
    for _, rows, _ in cases(draw):
        first = of(call, rows, 3).float()
        twice, once = of(call, first, 4), of(call, rows, 7)
        expect.equal(twice, once, "", "moving twice is not moving by the sum", tolerance=1e-4)


@moved_on.property("it turns whatever stands in the rows, twice as long as well")
def moved_linear(call, draw):
    """Rows that stand in no table."""
    for _, rows, steps in cases(draw):
        if not expect.close(of(call, 2 * rows, steps), 2 * of(call, rows, steps)):
            raise Broken(
                "rows twice as long do not come out twice as long: turn the pairs, whatever they "
                "hold",
                f"for {steps} steps",
            )


@moved_on.property("it knows no last place, neither for the rows nor for the steps")
def moved_far(call, draw):
    """Rows from place 600 and beyond, and 10,000 steps or more."""
    far = int(torch.randint(600, 3000, (), generator=draw))
    places = torch.tensor([600.0, float(far)], dtype=torch.float64)
    for C, steps, fault in (
        (4, 1, "rows from further on than its own table are not found"),
        (2, 10_000, "steps begin again after some thousand"),
        (6, 12_345, "steps begin again after some thousand"),
    ):
        angles = places[:, None] * speeds_of(C)
        rows = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()
        expect.equal(
            of(call, rows, steps),
            turned(rows, steps, speeds_of(C)),
            f"for rows of places {places.tolist()}, C = {C}, {steps} steps:",
            fault,
            tolerance=0.01,  # angles of thousands in float32
        )
