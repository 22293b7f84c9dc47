"""Exercise 25.1: how many numbers a model learns."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import whole
from helpers.exercises.exercise import Exercise

parameter_total = Exercise(
    "25.1",
    "parameter_total",
    title="How many numbers it learns",
    minutes=10,
    level="warm-up",
    points=2,
    imports=(),
    hints=(
        "Walk through the model as a token does: two tables, then L times a norm, four matrices, a "
        "norm and two matrices, then a norm and the head. What has a bias?",
        "With L = 0 the two tables, one norm and the head are left. A tied head adds no matrix, "
        "and takes nothing away: its bias stays.",
        "norm = C + (C if bias else 0). block = 4*C*C + 2*C*h + 2*norm, and with biases "
        "4*C + h + C more. Then V*C + T*C + L*block + norm + (0 if tied else V*C) + (V if bias "
        "else 0).",
    ),
)


def count(V, C, T, L, h, tied, bias, norms=2, head_bias=True, table=True, twice=False, own=True):
    """Return the parameters; what is left out or counted too often is chosen."""
    norm = C + (C if bias else 0)
    block = 4 * C * C + 2 * C * h + norms * norm + ((4 * C if own else 0) + h + C if bias else 0)
    head = V * C if not tied or twice else 0
    ends = V * C + (T * C if table else 0) + (norm if norms else 0)
    return ends + L * block + head + (V if bias and head_bias else 0)


def slips(*sizes) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    V, C, T, L, h, tied, bias = sizes
    norm = C + (C if bias else 0)
    return [
        (count(*sizes, twice=True), "a tied head is the token table: it counts once"),
        (count(*sizes, norms=0), "the norms learn numbers as well"),
        (count(*sizes) - norm, "the norm in front of the head is missing"),
        (count(*sizes, norms=1), "a block has two norms, one before each part"),
        (count(*sizes, table=False), "the table of positions is missing"),
        (count(V, C, T, L, 4 * C, tied, bias), "the hidden width is taken as four times C"),
        (count(*sizes, own=False), "the four matrices of attention have biases as well"),
        (count(*sizes, head_bias=False), "the head has a bias as well"),
        (count(V, C, T, L, h, tied, True), "biases are counted where there are none"),
        (count(V, C, T, L, h, tied, False), "biases are left out where there are some"),
        (count(V, C, T, 1, h, tied, bias), "only one block is counted"),
        (count(V, C, T, L, h, False, bias), "a tied head is the token table: it counts once"),
        (count(V, C, T, L, h, True, bias), "a head of its own has a matrix of its own"),
    ]


def try_sizes(call, all_sizes, name_faults: bool = True) -> None:
    """Compare for each (V, C, T, L, h, tied, bias).

    name_faults: not where sizes are so small that different faults give the same number.
    """
    for sizes in all_sizes:
        V, C, T, L, h, tied, bias = sizes
        seen = f"for V = {V}, C = {C}, T = {T}, L = {L}, h = {h}, tied {tied}, bias {bias}"
        got = expect.whole(call(*sizes), seen)
        known = slips(*sizes) if name_faults else ()
        expect.equal(got, count(*sizes), seen, "it is another number", known=known)


@parameter_total.property("it counts the four models of the lesson")
def lesson_shapes(call, draw):
    """Four shapes whose models were built and counted."""
    shapes = ((256, 64, 64, 2), (512, 256, 128, 4), (256, 128, 128, 4), (64, 32, 32, 2))
    try_sizes(call, [(V, C, T, L, 4 * C, False, True) for V, C, T, L in shapes], False)


@parameter_total.property("it counts models without blocks, without biases and with a tied head")
def edges(call, draw):
    """The smallest ones, and every combination of the two switches."""
    switches = [(tied, bias) for tied in (False, True) for bias in (False, True)]
    try_sizes(call, [(101, 7, 29, 3, 41, *both) for both in switches])
    try_sizes(call, [(7, 3, 5, 0, 11, *both) for both in switches], name_faults=False)
    try_sizes(call, [(1, 1, 1, 1, 1, *both) for both in switches], name_faults=False)


@parameter_total.property("it counts models of any size, to the last number")
def any_size(call, draw):
    """Drawn sizes, some of them large."""
    for large in (1, 1, 1000):
        V, C, T, L, h = (whole(draw, low, low + 40) for low in (150, 20, 80, 2, 300))
        switches = torch.randint(2, (2,), generator=draw).bool().tolist()
        try_sizes(call, [(V * large, C * large, T, L, h * large + 1, *switches)])


@parameter_total.property("huge counts are exact")
def huge(call, draw):
    """Widths whose products a float cannot hold."""
    sizes = 7, 2**27 + 1, 3, 3, 2**27 + 3, False, True
    got = expect.whole(call(*sizes), "for C = 2**27 + 1")
    near = abs(got - count(*sizes)) < 1e-9 * count(*sizes)
    fault = "a huge count is rounded: floats hold no whole numbers of that size"
    fault = fault if near else "it is another number"
    expect.equal(got, count(*sizes), "for C = 2**27 + 1:", fault)
