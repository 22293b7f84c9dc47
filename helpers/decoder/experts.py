"""Experts: many feed-forward parts, of which each position uses only a few.

A router, one linear layer, gives every expert a score. The k best work, and their answers are
averaged by weights that come from the scores. Source: Shazeer et al. 2017; Jiang et al. 2024.
"""

from __future__ import annotations

from typing import Literal

import torch
from jaxtyping import Float, Int
from torch import Tensor, nn

from helpers.decoder.feed_forward import FeedForward
from helpers.needs import need_choice, need_int

ROUTINGS = ("top_then_softmax", "softmax_then_top")


def route(
    scores: Float[Tensor, "N E"],
    k: int,
    routing: Literal["top_then_softmax", "softmax_then_top"] = "top_then_softmax",
) -> tuple[Float[Tensor, "N k"], Int[Tensor, "N k"]]:
    """The k best experts of each position, best first: their weights [N, k] and numbers [N, k].

    "top_then_softmax" is a softmax over the k best alone, so the weights sum to 1. In
    "softmax_then_top" all experts share the softmax, and the weights keep what is left for k.
    """
    need_choice("routing", routing, ROUTINGS)
    need_int("k", k, 1)
    if k > scores.shape[-1]:
        raise ValueError(f"k is {k}; there are {scores.shape[-1]} experts")
    exact = scores.to(torch.promote_types(scores.dtype, torch.float32))
    if routing == "top_then_softmax":
        best, experts = exact.topk(k, dim=-1)
        weights = best.softmax(dim=-1)
    else:
        weights, experts = exact.softmax(dim=-1).topk(k, dim=-1)
    return weights.to(scores.dtype), experts


class Experts(nn.Module):
    """A feed-forward part with a choice: `count` of them, `used` at each position.

    kind, bias: of each expert, as in FeedForward.
    """

    def __init__(
        self,
        width: int,
        hidden: int,
        *,
        count: int,
        used: int,
        kind: str = "swiglu",
        bias: bool = False,
        routing: Literal["top_then_softmax", "softmax_then_top"] = "top_then_softmax",
    ) -> None:
        super().__init__()
        self.used, self.routing = used, routing
        self.router = nn.Linear(width, count, bias=False)
        self.experts = nn.ModuleList(
            FeedForward(width, hidden, kind, bias=bias) for _ in range(count)
        )

    def forward(self, x: Float[Tensor, "B T C"]) -> Float[Tensor, "B T C"]:
        """Shape in, shape out: [B, T, C]; no position touches another."""
        rows = x.flatten(0, 1)  # [N, C], N = B T
        weights, chosen = route(self.router(rows), self.used, self.routing)  # [N, k]
        out = torch.zeros_like(rows)
        for number, expert in enumerate(self.experts):
            row, rank = (chosen == number).nonzero(as_tuple=True)  # who asks this expert
            if len(row):
                out = out.index_add(0, row, expert(rows[row]) * weights[row, rank, None])
        return out.view_as(x)
