"""Where a token stands: position numbers that ignore padding, and ways to tell a model of them.

A fixed table of vectors is added to what a block reads. ALiBi and a learned relative bias are added
to the scores of attention instead, as floats beside the mask. Both depend on how far apart two
columns are: between two real tokens of a row there is no padding.
"""

from __future__ import annotations

import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

from helpers.decoder.masks import distance
from helpers.needs import need_int


def position_ids(token_mask: Bool[Tensor, "B T"]) -> Int[Tensor, "B T"]:
    """Positions counted over real tokens only: 0 for the first one, whatever padding precedes it.

    Padding gets the number of the nearest real token before it (0 if there is none), which is
    always inside the table.
    """
    if token_mask.dtype != torch.bool:
        raise TypeError(f"token_mask is {token_mask.dtype}; give bool, True = real token")
    return (token_mask.long().cumsum(dim=-1) - 1).clamp(min=0)


def sinusoidal_table(length: int, width: int) -> Float[Tensor, "T C"]:
    """Fixed position vectors: sines in even columns, cosines in odd ones, shape [length, width].

    Column pair i turns with wavelength 2 pi 10000^(2 i / width), in tokens.
    Source: Vaswani et al. 2017, section 3.5.
    """
    if length < 1 or width < 2 or width % 2:
        raise ValueError(f"length={length}, width={width}; give length 1 or more and an even width")
    pairs = torch.arange(0, width, 2, dtype=torch.float64)
    angles = torch.arange(length, dtype=torch.float64)[:, None] / 10000 ** (pairs / width)
    return torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1).float()  # [T, C/2, 2]


# ---- added to the scores ------------------------------------------------------------------------


def alibi_slopes(heads: int) -> Float[Tensor, "H"]:
    """How much each head's scores fall with every token of distance, shape [H].

    For a power of two, 2 ** (-8 h / H) for h = 1..H. For other numbers those of the power of two
    below, then every other one of the power above. Source: Press et al. 2022 and their code.
    """
    need_int("heads", heads, 1)
    power = 2 ** math.floor(math.log2(heads))
    slopes = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    slopes += [2 ** (-8 * h / (2 * power)) for h in range(1, 2 * (heads - power), 2)]
    return torch.tensor(slopes)


def alibi_bias(
    slopes: Float[Tensor, "H"], queries: int, keys: int | None = None
) -> Float[Tensor, "H Tq Tk"]:
    """-slope * distance for every head, query and key; keys in the future are the mask's affair.

    The queries are the last of the keys, as in masks.py.
    """
    back = distance(queries, keys, slopes.device)  # [Tq, Tk]
    return -slopes[:, None, None] * back.clamp(min=0)


class RelativeBias(nn.Module):
    """A learned number for each head and each distance, from 0 to reach - 1 tokens back.

    Whatever is further back shares the number of the last distance. One table serves all blocks.
    Source: Raffel et al. 2020 (T5), with plain distances in place of their buckets.
    """

    def __init__(self, reach: int, heads: int) -> None:
        super().__init__()
        need_int("reach", reach, 1)
        self.table = nn.Embedding(reach, heads)

    def forward(self, queries: int, keys: int | None = None) -> Float[Tensor, "H Tq Tk"]:
        """The bias [H, Tq, Tk]; the queries are the last of the keys."""
        weight = self.table.weight
        back = distance(queries, keys, weight.device).clamp(0, len(weight) - 1)  # [Tq, Tk]
        return self.table(back).permute(2, 0, 1)  # [Tq, Tk, H] -> [H, Tq, Tk]
