"""Exercise 07.3: set the style."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.languages.language import captions

temperature_for = Exercise(
    "07.3",
    "temperature_for",
    title="Set the style",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "After “a”, photo has 1/2, large and small have 1/4 each. What becomes of these three when "
        "each is raised to the power 1/T, and what of their share?",
        "The share is 1 / (1 + 2^(1 - 1/T)). For very small T it nears 1, for very large T it "
        "nears 1/3, where the three words are even. It reaches neither.",
        "From the formula: 1/share - 1 = 2^(1 - 1/T). Take log2 of both sides: 1/T = 1 - "
        "log2(1/share - 1). Return None unless 1/3 < share < 1.",
    ),
)


def style_0_share(temperature: float) -> float:
    """Return the share of style 0 at this temperature, from the exact law."""
    return math.fsum(captions().at_temperature(temperature).probabilities[:4])


def temperature_of(call, share: float) -> float:
    """Call the answer with a share that can be reached."""
    answer = call(share)
    if answer is None:
        raise Broken(
            "it gives None for a share that a temperature reaches",
            f"for {share:.4g}: the shares between 1/3 and 1 can be reached",
        )
    return expect.number(answer, f"for {share:.4g}")


def compare_temperatures(call, T: float, fault: str) -> None:
    """Ask for the share that the exact law has at temperature T; name the known slips."""
    share = style_0_share(T)
    power = math.log2(1 / share - 1)  # which is 1 - 1/T
    expect.equal(
        temperature_of(call, share),
        T,
        f"for the share {share:.6f} of temperature {T:.4g}:",
        fault,
        known=(
            (1 / T, "it gives 1/T in place of T"),
            (1 / (1 - math.log(2) * power), "the logarithm is not the one to base 2"),
            (-1 / power, "the 1 in the power 1 - 1/T is lost"),
        ),
    )


@temperature_for.property("it gives temperature 1 for one half")
def style_half(call, draw):
    """The table's plainest row."""
    expect.equal(
        expect.number(call(0.5), "for 0.5"),
        1.0,
        "for 0.5:",
        "one half, the true law's own share, does not give temperature 1",
    )


@temperature_for.property("it undoes the table: the share at a temperature gives the temperature")
def style_table(call, draw):
    """The exact law at several temperatures, and back."""
    drawn = 1.1 + 2 * float(torch.rand((), generator=draw))
    for T in (0.3, 0.8, 2.0, drawn):
        compare_temperatures(call, T, "it does not undo the table")


@temperature_for.property("it is right for a share near 1, and for one a little above 1/3")
def style_ends(call, draw):
    """Very cold and very hot."""
    for T in (0.05, 40.0, 2000.0):
        compare_temperatures(call, T, "near the ends of what can be reached it goes wrong")


@temperature_for.property("it gives None for a share that no positive temperature reaches")
def style_none(call, draw):
    """Below 1/3, 1/3 itself, and 1."""
    drawn = 0.32 * float(torch.rand((), generator=draw))
    for share in (0.2, 0.3, 0.333, 0.0, drawn, 1.0, 1 / 3):
        answer = call(share)
        if answer is None:
            continue
        if share == 1:
            raise Broken(
                "it gives a temperature for the share 1, which only temperature 0 has",
                f"it gives {show(answer)}",
            )
        raise Broken(
            "it gives a temperature for a share of 1/3 or less, where no temperature leads",
            f"for {share:.4g} it gives {show(answer)}",
        )
