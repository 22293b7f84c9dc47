"""Exercise 15.6: slow the slow pairs only, as Llama 3 does."""

import math

import torch

from helpers.decoder.rotary import Rotary, frequencies
from helpers.exercises import expect
from helpers.exercises.checks.lesson_15.shared import speeds
from helpers.exercises.exercise import Broken, Exercise

stretched = Exercise(
    "15.6",
    "stretched",
    title="Slow the slow ones",
    minutes=25,
    level="challenge",
    points=4,
    hints=(
        "Count first: how many turns does each pair make over the length the model was trained on?",
        "A pair with `low` turns or fewer is divided by factor, one with `high` turns or more is "
        "kept. With factor 1 nothing changes at all. Half way between low and high turns, the "
        "result is half way between the two.",
        "turns = length * speeds / (2 * math.pi); kept = ((turns - low) / (high - low)).clamp(0, "
        "1); the answer is kept * speeds + (1 - kept) * speeds / factor.",
    ),
)
SETTINGS = ((8.0, 64, 1.0, 4.0), (4.0, 100, 2.0, 3.0), (32.0, 8192, 1.0, 4.0), (1.5, 50, 0.5, 1.5))


def drawn(draw: torch.Generator) -> list[tuple]:
    """Return speeds with their settings: factor, length, low, high."""
    found = []
    for factor, length, low, high in SETTINGS:
        for D, base in ((16, 10_000.0), (64, 500_000.0), (2, 10_000.0)):
            found.append((speeds(D, base).float(), factor, length, low, high))
        turns = low + (high - low) * torch.rand(6, generator=draw)  # all of them between
        found.append((turns * 2 * math.pi / length, factor, length, low, high))
    return found


def mixed(draw: torch.Generator) -> list[tuple]:
    """Return speeds in no order, some of them twice, with their settings."""
    found = []
    for factor, length, low, high in SETTINGS:
        turns = torch.cat([torch.tensor([2 * high, low / 2]), high * torch.rand(6, generator=draw)])
        turns = torch.cat([turns, turns[:1]])[torch.randperm(9, generator=draw)] + low / 100
        turns = torch.cat([torch.tensor([low / 3, 3 * high]), turns])  # the slowest first
        found.append((turns * 2 * math.pi / length, factor, length, low, high))
    return found


def kept(given: torch.Tensor, length: int, low: float, high: float) -> torch.Tensor:
    """Return how much of its own speed each pair keeps."""
    return ((length * given.double() / (2 * math.pi) - low) / (high - low)).clamp(0, 1)


def unbounded(given: torch.Tensor, factor, length, low, high) -> torch.Tensor:
    """Return the speeds where nothing holds the share above 0."""
    exact = given.double()
    share = ((length * exact / (2 * math.pi) - low) / (high - low)).clamp(max=1)
    return share * exact + (1 - share) * exact / factor


def fixed(given: torch.Tensor, factor: float, length: int) -> torch.Tensor:
    """Return the speeds where low and high are Llama's, whatever is asked for."""
    share = kept(given, length, 1.0, 4.0)
    return share * given.double() + (1 - share) * given.double() / factor


def of(call, given, factor, length, low, high) -> torch.Tensor:
    """Return the answer's speeds, after a look at their form."""
    seen = f"for {len(given)} speeds, factor {factor:g}, length {length}"
    return expect.tensor(call(given, factor, length, low, high), given.shape, seen=seen)


def same_ratio(got: torch.Tensor, right: torch.Tensor) -> bool:
    """Return whether all are equal to five digits: slow speeds are tiny numbers."""
    return expect.close(got / right, torch.ones(len(right), dtype=torch.float64))


@stretched.property("a factor of 1 changes nothing")
def stretch_one(call, draw):
    """Whatever the turns are."""
    for given, _, length, low, high in drawn(draw):
        if not same_ratio(of(call, given, 1.0, length, low, high), given.double()):
            raise Broken("with factor 1 the speeds change", f"for length {length}")


@stretched.property("pairs with high turns or more keep their speed")
def stretch_fast(call, draw):
    """The fast ones."""
    for given, factor, length, low, high in drawn(draw):
        fast = kept(given, length, low, high) == 1
        got = of(call, given, factor, length, low, high)
        if not same_ratio(got[fast], given.double()[fast]):
            fault = "a fast pair does not keep its speed"
            if same_ratio(got, given.double() / factor):
                fault = "every pair is slowed, the fast ones too"
            elif same_ratio(got, fixed(given, factor, length)):
                fault = "low and high are always 1 and 4"
            raise Broken(fault, f"for factor {factor:g}, length {length}")


@stretched.property("pairs with low turns or fewer are slowed by the factor")
def stretch_slow(call, draw):
    """The slow ones."""
    for given, factor, length, low, high in drawn(draw):
        slow = kept(given, length, low, high) == 0
        got, right = of(call, given, factor, length, low, high)[slow], given.double()[slow] / factor
        if same_ratio(got, right):
            continue
        fault = "a slow pair is not divided by the factor"
        if same_ratio(got, given.double()[slow]):
            fault = "a slow pair keeps its speed"
        elif same_ratio(got, given.double()[slow] * factor):
            fault = "a slow pair is multiplied by the factor: it turns faster"
        elif same_ratio(got, unbounded(given, factor, length, low, high)[slow]):
            fault = "a share falls below 0: it stays between 0 and 1"
        elif same_ratio(got, fixed(given, factor, length)[slow]):
            fault = "low and high are always 1 and 4"
        raise Broken(fault, f"for factor {factor:g}, length {length}")


def slips(given, factor, length, low, high) -> list[tuple[torch.Tensor, str]]:
    """Return what known faults give, each with its sentence."""
    share, exact = kept(given, length, low, high), given.double()
    turns = length * exact / (2 * math.pi)

    def mix(share):
        return share * exact + (1 - share) * exact / factor

    return [
        (mix((share > 0).double()), "between, pairs keep all of their speed"),
        (mix((share >= 1).double()), "between, pairs are slowed by all of the factor"),
        (
            mix((share >= 0.5).double()),
            "it jumps in the middle: between, the share grows evenly",
        ),
        (exact / (share + (1 - share) * factor), "it blends the wavelengths, not the speeds"),
        (
            mix(kept(given / (2 * math.pi), length, low, high)),
            "radians are turned into turns twice",
        ),
        (
            mix(kept(given * 2 * math.pi, length, low, high)),
            "radians are taken for turns: a turn is 2 pi of them",
        ),
        (
            mix(((turns.floor() - low) / (high - low)).clamp(0, 1)),
            "only whole turns are counted: 2.7 turns are 2.7",
        ),
        (
            mix(((turns / low).log() / math.log(high / low)).clamp(0, 1)),
            "the share grows with the logarithm of the turns, where it should grow evenly",
        ),
        (mix(kept(given, factor * length, low, high)), "turns are counted over the new length"),
        (fixed(given, factor, length), "low and high are always 1 and 4"),
        (mix(share**2), "the share grows with the square of the turns, not evenly"),
    ]


@stretched.property("between, the share that is kept grows evenly with the turns")
def stretch_between(call, draw):
    """Against the formula, with slips by name; and against the lesson's own."""
    for given, factor, length, low, high in drawn(draw):
        got = of(call, given, factor, length, low, high)
        share, exact = kept(given, length, low, high), given.double()
        if same_ratio(got, share * exact + (1 - share) * exact / factor):
            continue
        fault = "between low and high turns it is another speed"
        for value, sentence in slips(given, factor, length, low, high):
            if same_ratio(got, value):
                fault = sentence
                break
        raise Broken(fault, f"for factor {factor:g}, length {length}, turns {low:g} to {high:g}")
    rotary = Rotary(scaling="llama3", factor=8.0, original_context=64)
    got = of(call, frequencies(Rotary(), 64), 8.0, 64, 1.0, 4.0)
    if not same_ratio(got, frequencies(rotary, 64).double()):
        raise Broken(
            "these are not the speeds of helpers.decoder.rotary", "for D = 64, factor 8, length 64"
        )


@stretched.property("speeds may stand in any order")
def stretch_order(call, draw):
    """Each pair goes by its own speed, wherever it stands."""
    for given, factor, length, low, high in mixed(draw):
        order = given.argsort(descending=True)
        there = of(call, given[order], factor, length, low, high)[order.argsort()]
        if not same_ratio(of(call, given, factor, length, low, high), there):
            raise Broken(
                "with speeds in another order it gives others: each pair goes by its own",
                f"for factor {factor:g}, length {length}, turns {low:g} to {high:g}",
            )
