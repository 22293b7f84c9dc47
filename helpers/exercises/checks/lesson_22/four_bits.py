"""Exercise 22.4: four bits, packed."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

four_bits = Exercise(
    "22.4",
    "four_bits",
    title="Four bits, packed",
    minutes=15,
    level="hard",
    points=4,
    hints=(
        "Two ends and sixteen levels: how many steps lie between them? Which two columns of a "
        "block share a byte?",
        "The smallest weight of a block gets code 0 and the largest 15. Weights that stand on such "
        "levels already come back unchanged. Where all 32 are equal, the step is 0.",
        "blocks = weights.view(-1, 32); low, high = blocks.aminmax(dim=1); scale = (high - low) / "
        "15; codes rounded, 0 where scale is 0; codes[:, :16] + 16 * codes[:, 16:].",
    ),
)

KEYS = ("bytes", "scale", "low")


def answer(call, weights: torch.Tensor, seen: str) -> tuple[torch.Tensor, ...]:
    """Return codes [J, 32], scale and low [J], each of its form."""
    found = expect.table(call(weights), KEYS, seen)
    J = len(weights) // 32
    packed = expect.tensor(found["bytes"], (J, 16), "int", f"{seen}, in 'bytes'")
    scale = expect.tensor(found["scale"], (J,), "float", f"{seen}, in 'scale'")
    low = expect.tensor(found["low"], (J,), "float", f"{seen}, in 'low'")
    if packed.numel() and not (0 <= packed.min() and packed.max() <= 255):
        raise Broken("a byte holds 0 to 255, and a number outside came out", f"{seen}, in 'bytes'")
    return packed, scale, low


def bytes_of(codes: torch.Tensor) -> torch.Tensor:
    """Return two codes in each byte, those of the columns i and i + 16."""
    return codes[:, :16] + 16 * codes[:, 16:]


def compare(call, weights: torch.Tensor, seen: str) -> None:
    """Compare all three, and name the known slips."""
    packed, scale, low = answer(call, weights, seen)
    blocks = weights.double().view(-1, 32)
    least, most = blocks.aminmax(dim=1)
    whole_low, whole_high = blocks.min().expand(len(blocks)), blocks.max().expand(len(blocks))
    expect.equal(
        low,
        least,
        f"{seen}, in 'low':",
        "the low end is not the block's smallest weight",
        known=(
            (whole_low, "one low end serves all blocks"),
            (least + 8 * (most - least) / 15, "that is the zero of torch: 8 steps above the low"),
            (-blocks.abs().amax(1), "the levels lie evenly around 0: here they begin at the low"),
        ),
    )
    expect.equal(
        scale,
        (most - least) / 15,
        f"{seen}, in 'scale':",
        "the scale is not a fifteenth of the way from the smallest to the largest weight",
        known=(
            ((most - least) / 16, "sixteen levels have fifteen steps between them"),
            ((whole_high - whole_low) / 15, "one scale serves all blocks"),
            (most - least, "the scale is the whole way: one step of it is asked for"),
        ),
    )
    steps = (blocks - least[:, None]) / ((most - least) / 15).clamp(min=1e-30)[:, None]
    codes = steps.round().long()
    pairs = codes.view(-1, 16, 2)
    expect.equal(
        packed,
        bytes_of(codes),
        f"{seen}, in 'bytes':",
        "the bytes do not hold the codes of the nearest levels",
        known=(
            (16 * codes[:, :16] + codes[:, 16:], "the two halves of a byte have changed places"),
            (
                pairs[..., 0] + 16 * pairs[..., 1],
                "neighbours share a byte: columns i and i + 16 do",
            ),
            (bytes_of(steps.floor().long()), "the codes are rounded down, not to the nearest"),
            (bytes_of(15 - codes), "code 0 is the smallest weight, not the largest"),
            (codes[:, :16], "the second half of each block is lost"),
        ),
    )


def on_levels(draw: torch.Generator, J: int, aside: float) -> torch.Tensor:
    """Return weights near sixteen levels of each block, both ends in, at most so far aside."""
    codes = torch.randint(1, 15, (J, 32), generator=draw)
    steps = codes + aside * (2 * torch.rand(J, 32, generator=draw) - 1)
    for block in steps:
        first, last = torch.randperm(32, generator=draw)[:2].tolist()
        block[first], block[last] = 0.0, 15.0
    scale = 2.0 ** -torch.randint(2, 6, (J, 1), generator=draw)
    low = -8 * scale + scale * torch.rand(J, 1, generator=draw).mul(64).round() / 64
    return (steps * scale + low).flatten()


@four_bits.property("it gives 16 bytes, a scale and a low end for each block")
def form(call, draw):
    """One block and three."""
    for J in (1, 3):
        answer(call, on_levels(draw, J, 0.3), f"for {32 * J} weights")


@four_bits.property("codes are the nearest of sixteen levels, two to a byte")
def values(call, draw):
    """Drawn weights, none of them in the middle of two levels."""
    for J in (1, 2, 4):
        compare(call, on_levels(draw, J, 0.35), f"for {32 * J} weights")


@four_bits.property("weights on sixteen levels come back unchanged")
def exact(call, draw):
    """What a file in 4 bits gives."""
    weights = on_levels(draw, 3, 0.0)
    seen = "for weights that stand on 16 levels"
    packed, scale, low = answer(call, weights, seen)
    codes = torch.cat([packed % 16, packed // 16], dim=1)
    again = (codes * scale[:, None] + low[:, None]).flatten()
    fault = "weights that stood on sixteen levels have moved"
    expect.equal(again, weights.double(), f"{seen}, decoded:", fault)


@four_bits.property("a block of equal weights has scale 0 and codes 0")
def constant(call, draw):
    """Equal weights, beside a block of others."""
    level = float(torch.rand((), generator=draw)) - 2
    weights = torch.cat([torch.full((32,), level), on_levels(draw, 1, 0.3)])
    compare(call, weights, "for a block of 32 equal weights before another")


@four_bits.property("tiny and huge weights have sixteen levels as well")
def any_size(call, draw):
    """A ten-millionth and a million times as large."""
    for size in (1e-7, 1e6):
        weights = on_levels(draw, 1, 0.3) * size
        packed, *_ = answer(call, weights, f"for weights {size:g} times as large")
        codes = torch.cat([packed % 16, packed // 16], dim=1)
        fault = "the levels are not those of the block: its spread is small or large, and counts"
        ends = codes[0, weights.argmin()].item(), codes[0, weights.argmax()].item()
        expect.equal(list(ends), [0, 15], f"for weights {size:g} times as large:", fault)
