"""Exercise 19.1: the hidden width of a Llama."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

gated_width = Exercise(
    "19.1",
    "gated_width",
    title="Why 11,008?",
    minutes=5,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Three matrices in place of two: what share of 4 C keeps the number of parameters? The "
        "rest of the recipe makes the number convenient, and larger.",
        "For C = 3 and multiple 4 the exact width 8 fits as it is. For C = 4 and multiple 4, where "
        "two thirds of 16 are 10 and a bit, it must be 12.",
        "width = 2 * (4 * C) // 3, then int(factor * width), then up to the next multiple: "
        "-(-width // multiple) * multiple.",
    ),
)


def right(C: int, multiple: int, factor: float) -> int:
    """Return the width by the recipe."""
    width = int(factor * (8 * C // 3))
    return -(-width // multiple) * multiple


def slips(C: int, multiple: int, factor: float) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    two_thirds = 8 * C // 3
    stretched = int(factor * two_thirds)

    def up(width: int) -> int:
        return -(-width // multiple) * multiple

    down, nearest = stretched // multiple * multiple, round(stretched / multiple) * multiple
    one_more = (stretched // multiple + 1) * multiple
    return [
        (up(int(factor * 4 * C)), "the third matrix is not paid for: it takes all of 4 C"),
        (
            down,
            "it rounds down to a multiple: the recipe rounds up"
            if down != nearest
            else "a small remainder is dropped: the recipe rounds up",
        ),
        (stretched, "it is not brought to a multiple"),
        (one_more, "a width that is a multiple already gets one more on top"),
        (up(two_thirds), "the factor is left out"),
        (int(factor * up(two_thirds)), "it rounds up first and stretches afterwards"),
        (up(int(factor * up(two_thirds))), "it rounds up before the stretch, and again after it"),
        (up(int(factor * 3 * C)), "it takes three quarters of 4 C: two thirds keep the parameters"),
    ]


def try_sizes(call, sizes) -> None:
    """Compare with the recipe for each (C, multiple, factor)."""
    for C, multiple, factor in sizes:
        seen = f"for C = {C}, multiple = {multiple}, factor = {factor}"
        found = expect.whole(call(C, multiple, factor), seen)
        expect.equal(
            found,
            right(C, multiple, factor),
            seen,
            "it is not the width of the recipe",
            known=slips(C, multiple, factor),
        )


@gated_width.property("it gives the widths of Llama 7B, Llama 3 8B and Llama 2 70B")
def real_ones(call, draw):
    """Three public numbers: 11008, 14336, 28672."""
    try_sizes(call, ((4096, 256, 1.0), (4096, 1024, 1.3), (8192, 4096, 1.3)))


@gated_width.property("a width that is a multiple already stays, any other one goes up")
def fits(call, draw):
    """A large remainder first, then a small one and none."""
    try_sizes(call, ((5, 8, 1.0), (7, 16, 1.0), (6, 4, 1.0), (12, 8, 1.0), (6, 1, 1.0)))


@gated_width.property("it follows the recipe for other sizes")
def any_size(call, draw):
    """Drawn widths; factors whose products with whole numbers are exact."""
    try_sizes(call, ((11, 16, 1.0),))
    for C, multiple, factor, fault in (
        (4, 1, 1.5, "two thirds are rounded down before the factor comes"),
        (4, 4, 1.25, "after the factor it is rounded down, and then goes up to a multiple"),
        (2, 1, 1.0, "two thirds of 4 C are rounded down once, not a third of it"),
    ):
        seen = f"for C = {C}, multiple = {multiple}, factor = {factor}"
        expect.equal(
            expect.whole(call(C, multiple, factor), seen), right(C, multiple, factor), seen, fault
        )
    for factor in (1.0, 1.5, 1.25, 0.5):
        C = int(torch.randint(10, 600, (), generator=draw))
        multiple = int(torch.randint(2, 60, (), generator=draw))
        try_sizes(call, ((C, multiple, factor),))
