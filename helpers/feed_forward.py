"""The part of a block that thinks about each position alone: widen, bend, narrow."""

from __future__ import annotations

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn


class FeedForward(nn.Module):
    """Two linear layers with a GELU between: C -> hidden -> C, at every position alone."""

    def __init__(self, width: int, hidden: int) -> None:
        super().__init__()
        self.widen = nn.Linear(width, hidden)
        self.narrow = nn.Linear(hidden, width)

    def forward(self, x: Float[Tensor, "B T C"]) -> Float[Tensor, "B T C"]:
        """Shape in, shape out: [B, T, C]. The GELU is the exact form, with erf."""
        return self.narrow(F.gelu(self.widen(x)))  # [B, T, hidden] inside
