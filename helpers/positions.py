"""Where a token stands: position numbers that ignore padding, and a fixed table of vectors."""

from __future__ import annotations

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


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
