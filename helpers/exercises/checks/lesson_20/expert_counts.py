"""Exercise 20.1: what is held and what is used."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

expert_counts = Exercise(
    "20.1",
    "expert_counts",
    title="Held and used",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "What does one expert consist of, when its feed-forward part is gated? And who chooses "
        "among the experts?",
        "With one expert, of which one is used, both numbers are 3 * C * hidden + C.",
        "The router has C * experts numbers, and every token uses all of them. An expert has "
        "3 * C * hidden.",
    ),
)


def counts(C: int, hidden: int, experts: int, used: int) -> list[int]:
    """Return the parameters of the part, and those that a token meets."""
    return [experts * 3 * C * hidden + C * experts, used * 3 * C * hidden + C * experts]


def slips(C: int, hidden: int, experts: int, used: int) -> list[tuple[list[int], str]]:
    """Return what known slips give, each with its name."""
    held, met = counts(C, hidden, experts, used)
    one, router = 3 * C * hidden, C * experts
    return [
        ([met, held], "the two numbers have changed places"),
        ([held - router, met - router], "the router is not counted"),
        ([held, met - router], "a token meets the router too, all of it"),
        ([held, met - router + C * used], "the router scores every expert, also those not used"),
        (
            [experts * one * 2 // 3 + router, used * one * 2 // 3 + router],
            "a gated part has three matrices, not two",
        ),
        ([held + experts - router, met + experts - router], "the router reads all C numbers"),
        ([held, one + router], "every token uses one expert, whatever is asked"),
        ([held, held], "a token meets only those experts that it uses"),
    ]


def try_sizes(call, sizes) -> None:
    """Compare with the right counts."""
    for C, hidden, experts, used in sizes:
        seen = f"for C = {C}, hidden = {hidden}, experts = {experts}, used = {used}"
        found = expect.wholes(call(C, hidden, experts, used), 2, seen)
        fault = "these are not the parameters held and used"
        right = counts(C, hidden, experts, used)
        expect.equal(found, right, seen, fault, slips(C, hidden, experts, used))


@expert_counts.property(
    "one block of Mixtral 8x7B holds 1.4 billion, and a token meets 352 million"
)
def mixtral(call, draw):
    """The real sizes."""
    try_sizes(call, ((4096, 14_336, 8, 2),))


@expert_counts.property("huge counts are exact")
def huge(call, draw):
    """Widths whose products a float cannot hold."""
    C, hidden = 2**27 + 1, 2**27 + 1
    found = expect.wholes(call(C, hidden, 3, 1), 2, "for C = hidden = 2**27 + 1")
    right = counts(C, hidden, 3, 1)
    near = all(abs(a - b) < 1e-9 * b for a, b in zip(found, right, strict=True))
    fault = "huge counts are rounded: floats hold no whole numbers of that size"
    fault = fault if near else "these are not the parameters held and used"
    expect.equal(found, right, "for C = hidden = 2**27 + 1:", fault)


@expert_counts.property("it gives both numbers for other sizes")
def any_size(call, draw):
    """Drawn sizes; all experts used; a single one."""
    for _ in range(3):
        C, hidden = (int(torch.randint(10, 60, (), generator=draw)) for _ in range(2))
        experts = int(torch.randint(5, 9, (), generator=draw))
        try_sizes(call, ((C, hidden, experts, int(torch.randint(2, 5, (), generator=draw))),))
    try_sizes(call, ((12, 20, 4, 4), (7, 9, 1, 1)))
