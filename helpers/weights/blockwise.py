"""Weights in blocks: 32 neighbours of a row share a scale, and each is left with a few bits.

Q4_1 holds 16 levels from a block's smallest number to its largest one. Q8_0 holds 255 levels around
zero. Both as llama.cpp writes them into GGUF files: the block's 16-bit numbers first, then codes.
Q4_1 blocks made here from such weights are the file's own again: their extremes are kept exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from jaxtyping import Float, UInt8
from torch import Tensor

BLOCK = 32
KINDS = ("Q4_1", "Q8_0")


class Blocks(NamedTuple):
    """A matrix [N, K] in blocks: weight = scale * code + low, J = K / 32 blocks a row.

    code: Q4_1 0 to 15, Q8_0 -127 to 127. scale, low: float32 values that float16 can hold; Q8_0 has
    no low.
    """

    code: Tensor  # [N, J, 32], uint8 or int8
    scale: Float[Tensor, "N J 1"]
    low: Float[Tensor, "N J 1"] | None = None

    def weight(self) -> Float[Tensor, "N K"]:
        """The matrix that is meant, float32: one product, and one sum in Q4_1, for each weight."""
        scaled = self.code * self.scale  # [N, J, 32]
        return (scaled if self.low is None else scaled + self.low).flatten(1)  # [N, K]


# ---- from the bytes of a file -------------------------------------------------------------------


def row_bytes(kind: str, columns: int) -> int:
    """How many bytes a row of so many columns takes; ValueError unless it is whole blocks."""
    if kind not in KINDS:
        raise ValueError(f"blocks of kind {kind!r} are not read here; known are {', '.join(KINDS)}")
    if columns < 1 or columns % BLOCK:
        raise ValueError(f"{columns} columns are no whole number of blocks of {BLOCK}")
    return columns // BLOCK * {"Q4_1": 4 + BLOCK // 2, "Q8_0": 2 + BLOCK}[kind]


def unpack(kind: str, rows: UInt8[Tensor, "N bytes"]) -> Blocks:
    """The blocks behind rows of bytes, as they stand in a GGUF file.

    A Q4_1 block takes 20 bytes: scale and low as float16, then 16 bytes with two codes each, the
    low half of byte i for column i and the high half for column i + 16. A Q8_0 block takes 34.
    """
    if kind == "Q4_1":
        blocks = rows.unflatten(1, (-1, 20))  # [N, J, 20]
        scale, low = _float16(blocks[..., :4]).split(1, dim=-1)
        pairs = blocks[..., 4:]
        return Blocks(torch.cat([pairs & 15, pairs >> 4], dim=-1), scale, low)
    blocks = rows.unflatten(1, (-1, 34))  # [N, J, 34]
    scale = _float16(blocks[..., :2])
    return Blocks(blocks[..., 2:].contiguous().view(torch.int8), scale)


def _float16(x: UInt8[Tensor, "N J n"]) -> Float[Tensor, "N J n/2"]:
    return x.contiguous().view(torch.float16).float()


# ---- from weights -------------------------------------------------------------------------------


def quantize_4(weight: Float[Tensor, "N K"]) -> Blocks:
    """Sixteen even levels from each block's smallest to its largest number, as Q4_1.

    Raises ValueError for a block that float16 cannot say the levels of: its numbers are tiny, or
    huge, or far from zero and close together.
    """
    row_bytes("Q4_1", weight.shape[1])  # refuses what cannot be cut into blocks
    blocks = weight.float().unflatten(1, (-1, BLOCK))  # [N, J, 32]
    low, high = blocks.aminmax(dim=-1, keepdim=True)
    low, scale = _as_float16(low), _as_float16((high - low) / 15)
    code = nearest(blocks - low, scale).clamp(0, 15)
    need_levels(blocks, scale * code + low, level_4(blocks), "float16")
    return Blocks(code.to(torch.uint8), scale, low)


def quantize_4_any_size(weight: Float[Tensor, "N K"]) -> Blocks:
    """The same levels for numbers of any size; scale and low may be beyond float16.

    Blocks whose scale would be too small or too large for float16 are counted in another unit, a
    power of two. All others come out as from `quantize_4`, to the last bit.
    """
    row_bytes("Q4_1", weight.shape[1])
    blocks = weight.float().unflatten(1, (-1, BLOCK))  # [N, J, 32]
    largest = blocks.abs().amax(dim=-1, keepdim=True)
    short = torch.finfo(torch.float16)
    unit = torch.frexp(largest).mantissa / largest  # a power of two: largest becomes 0.5 to 1
    fits = (largest == 0) | (level_4(blocks) >= short.tiny) & (largest <= short.max)
    unit = torch.where(fits, 1.0, unit).clamp(max=2.0**127)
    code, scale, low = quantize_4((blocks * unit).flatten(1))
    return Blocks(code, scale / unit, low / unit)


def need_levels(
    given: Float[Tensor, "N J n"],
    meant: Float[Tensor, "N J n"],
    level: Float[Tensor, "N J 1"],
    short: str,
) -> None:
    """Refuse blocks that come back more than half a level off, naming the first of them.

    short: the type that scales were rounded to; that may cost a tenth of a level more.
    """
    lost = ~((meant - given).abs() <= 0.6 * level).all(dim=-1)  # NaN and infinity as well
    if lost.any():
        row, block = lost.nonzero()[0].tolist()
        first, last = (float(end) for end in given[row, block].aminmax())
        columns = f"{block * given.shape[-1]} to {(block + 1) * given.shape[-1] - 1}"
        raise ValueError(
            f"row {row}, columns {columns}, holds numbers from {first:.7g} to {last:.7g}, whose "
            f"levels {short} cannot hold; leave this matrix in float32"
        )


def level_4(blocks: Float[Tensor, "N J 32"]) -> Float[Tensor, "N J 1"]:
    """The distance of a block's sixteen levels; of equal numbers, which have none, a small share.

    The share is what rounding takes off any number.
    """
    low, high = blocks.aminmax(dim=-1, keepdim=True)
    return torch.where(high > low, high / 15 - low / 15, high.abs() / 128)


def nearest(x: Float[Tensor, "..."], scale: Float[Tensor, "..."]) -> Float[Tensor, "..."]:
    """x in whole steps of this size; 0 where the step is 0, since all that share it are equal."""
    return torch.where(scale == 0, 0.0, x / scale).round()


def _as_float16(x: Tensor) -> Tensor:
    return x.half().float()
