"""Exercise 21.1: one block by hand."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise
from helpers.weights.blockwise import unpack

block_weights = Exercise(
    "21.1",
    "block_weights",
    title="One block by hand",
    minutes=6,
    level="warm-up",
    points=1,
    hints=(
        "Which of the 20 bytes are numbers of 16 bits, and which hold two codes each? What is the "
        "largest code?",
        "Sixteen bytes of 0x10 mean: code 0 in the columns 0 to 15, code 1 in the columns 16 to "
        "31. With a scale of 0 all 32 weights are the low end.",
        "data = torch.tensor(data, dtype=torch.uint8); data[:4].view(torch.float16) gives both "
        "16-bit numbers; data[4:] & 15 and data[4:] >> 4 are the two halves of the codes.",
    ),
)


def block(draw: torch.Generator, scale: float, low: float) -> list[int]:
    """Return the bytes of a block with drawn codes."""
    ends = torch.tensor([scale, low], dtype=torch.float16).view(torch.uint8).tolist()
    return ends + torch.randint(0, 256, (16,), generator=draw).tolist()


def weights(scale: torch.Tensor, low: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
    """Return scale * code + low in float64."""
    return scale.double() * codes.double() + low.double()


def slips(data: list[int]) -> list[tuple[torch.Tensor, str]]:
    """Return what known slips give, each with its name."""
    rows = torch.tensor(data, dtype=torch.uint8)
    scale, low = rows[:4].view(torch.float16)
    swapped = rows[[1, 0, 3, 2]].view(torch.float16).nan_to_num()
    first, second = rows[4:] & 15, rows[4:] >> 4
    codes = torch.cat([first, second])
    return [
        (weights(low, scale, codes), "scale and low end have changed places"),
        (
            weights(scale, low, torch.cat([second, first])),
            "the two halves of the bytes have changed places: the low half comes first",
        ),
        (
            weights(scale, low, torch.stack([first, second], 1).flatten()),
            "a byte's codes stand side by side: they belong to columns i and i + 16",
        ),
        (scale.double() * codes, "the low end is not added"),
        (
            scale.double() * (codes.double() - 8),
            "codes are counted from the middle: here code 0 is the low end",
        ),
        (
            weights(scale, low, torch.cat([first, rows[4:] & 240])),
            "the high half of a byte is not shifted down to 0 to 15",
        ),
        (weights(*swapped, codes), "the two bytes of a 16-bit number are read in reverse"),
        (weights(scale, low, 15 - codes), "code 15 is the high end, not code 0"),
        (
            (scale * codes.half() + low).double(),
            "it computes in 16 bits, which rounds: turn scale and low end to 32 bits first",
        ),
        (weights(scale.abs(), low, codes), "the scale has a sign, and it is lost"),
        (
            weights(scale, low, torch.cat([first, (rows[4:].view(torch.int8) >> 4)])),
            "the high half is taken with its sign: codes from 8 on become negative",
        ),
    ]


def compare(call, data: list[int], seen: str) -> None:
    """Compare the weights, and name the known slips."""
    right = unpack("Q4_1", torch.tensor([data], dtype=torch.uint8)).weight()[0].double()
    found = expect.tensor(call(data), (32,), seen=seen)
    fault = "the weights are not scale * code + low"
    expect.equal(found, right, f"{seen}:", fault, slips(data))


@block_weights.property("it is a tensor of 32 floating-point numbers")
def form(call, draw):
    """A block of zeros."""
    expect.tensor(call([0] * 20), (32,), seen="for 20 bytes of 0")


@block_weights.property("each weight is scale * code + low, in its own column")
def values(call, draw):
    """Drawn blocks."""
    for number in range(3):
        scale, low = (torch.rand(2, generator=draw) + 0.2).tolist()
        compare(call, block(draw, scale, -4 * low), f"for drawn block {number}")


@block_weights.property("it holds at the ends: the largest code, no scale, a negative scale")
def ends(call, draw):
    """All codes 15, codes 0 and 15, scale 0, scale below 0."""
    top = block(draw, 0.5, -2.0)[:4]
    compare(call, [*top, *[255] * 16], "for all codes 15")
    compare(call, [*top, *[0xF0] * 16], "for code 0 in the first half and 15 in the second")
    compare(call, block(draw, 0.0, 0.75), "for a scale of 0")
    tiny = [3, 0, 2, 128, *[255] * 16]  # scale 3 * 2**-24, low -2 * 2**-24
    found = expect.tensor(call(tiny), (32,), seen="for the tiniest scale") * 2**24
    fault = "the numbers of 16 bits nearest to 0 have another rule: they are spaced evenly"
    right = torch.full((32,), 43.0, dtype=torch.float64)
    expect.equal(found, right, "for the tiniest scale, times 2**24:", fault)
    compare(call, block(draw, -0.25, 1.5), "for a negative scale")
