"""The part of a block that thinks about each position alone: widen, bend, narrow."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch.nn.functional as F
from jaxtyping import Float
from torch import Tensor, nn

from helpers.needs import need_choice


class Kind(NamedTuple):
    """How a feed-forward part bends, and whether the bent vector gates a second one."""

    bend: Callable[[Tensor], Tensor]
    gated: bool


GELU_TANH = partial(F.gelu, approximate="tanh")  # GPT-2's form, up to 5e-4 off the exact one
KINDS = {
    "gelu": Kind(F.gelu, gated=False),  # the exact form, with erf
    "gelu_tanh": Kind(GELU_TANH, gated=False),
    "relu": Kind(F.relu, gated=False),
    "geglu": Kind(F.gelu, gated=True),
    "geglu_tanh": Kind(GELU_TANH, gated=True),
    "swiglu": Kind(F.silu, gated=True),
}


class FeedForward(nn.Module):
    """C -> hidden -> C, at every position alone.

    kind: "gelu", "gelu_tanh" and "relu" are two linear layers with a bend between. "geglu",
    "geglu_tanh" and "swiglu" have a third: what it says is bent, and multiplies what the first
    says. At equal parameters hidden is then 2/3 as wide. Source: Shazeer 2020.
    """

    def __init__(self, width: int, hidden: int, kind: str = "gelu", *, bias: bool = True) -> None:
        super().__init__()
        need_choice("feed_forward", kind, tuple(KINDS))
        self.bend, gated = KINDS[kind]
        self.widen = nn.Linear(width, hidden, bias=bias)
        self.narrow = nn.Linear(hidden, width, bias=bias)
        self.gate = nn.Linear(width, hidden, bias=bias) if gated else None

    def forward(self, x: Float[Tensor, "B T C"]) -> Float[Tensor, "B T C"]:
        """Shape in, shape out: [B, T, C]."""
        if self.gate is None:
            return self.narrow(self.bend(self.widen(x)))  # [B, T, hidden] inside
        return self.narrow(self.bend(self.gate(x)) * self.widen(x))
