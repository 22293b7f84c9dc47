"""The block that decoders and encoders are stacks of: look around, then think."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention, Remember
from helpers.config import DecoderConfig
from helpers.feed_forward import FeedForward


class BlockMemory(NamedTuple):
    """What one block's cross-attention looks at: keys and values [B, H, S, D], and who may."""

    key: Float[Tensor, "B H S D"]
    value: Float[Tensor, "B H S D"]
    mask: Bool[Tensor, "B 1 1 S"] | None


class Block(nn.Module):
    """Look around, then think: attention and feed-forward, each added to what was there.

    The block does not know that it is causal; the mask it is given makes it so. Without a mask it
    is an encoder block. With cross-attention, it looks at a second sequence in between.
    """

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.pre_norm = config.norm_placement == "pre"
        self.attention = self.cross_attention = None
        if config.attention:
            self.attention = MultiHeadAttention(config.width, config.heads)
            self.attention_norm = nn.LayerNorm(config.width)
        if config.cross_attention:
            self.cross_attention = MultiHeadAttention(config.width, config.heads)
            self.cross_attention_norm = nn.LayerNorm(config.width)
        self.feed_forward = FeedForward(config.width, config.hidden or 4 * config.width)
        self.feed_forward_norm = nn.LayerNorm(config.width)
        self.dropout = nn.Dropout(config.dropout)

    def forward(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        remember: Remember | None = None,
        memory: BlockMemory | None = None,
    ) -> Float[Tensor, "B T C"]:
        """[B, T, C] in and out; mask: True = may attend, broadcastable to [B, H, T, Tk].

        remember: how a cache adds the past. memory: what cross-attention looks at.
        """
        if (memory is not None) != (self.cross_attention is not None):
            raise ValueError(
                "memory is missing; this block looks at a second sequence"
                if memory is None
                else "memory is given, but this block has no cross-attention"
            )
        if self.attention is not None:
            attend = partial(self.attention, mask=mask, remember=remember)
            x = self._add(x, self.attention_norm, attend)
        if self.cross_attention is not None:
            look = partial(self.cross_attention.look, **memory._asdict())
            x = self._add(x, self.cross_attention_norm, look)
        return self._add(x, self.feed_forward_norm, self.feed_forward)

    def _add(self, x: Tensor, norm: nn.Module, part: Callable[[Tensor], Tensor]) -> Tensor:
        """Add what a part says to the residual stream, with the norm before or after."""
        if self.pre_norm:
            return x + self.dropout(part(norm(x)))
        return norm(x + self.dropout(part(x)))


@torch.no_grad()
def draw_weights(model: nn.Module, generator: torch.Generator) -> None:
    """Draw the first weights of all linear layers and embeddings of a model, in place."""
    # Uniform numbers, since torch draws them alike on every processor; normal ones it does not.
    for module in model.modules():
        if isinstance(module, nn.Linear):
            bound = 1 / math.sqrt(module.in_features)
            module.weight.uniform_(-bound, bound, generator=generator)
            module.bias.zero_()
        elif isinstance(module, nn.Embedding):
            bound = math.sqrt(3)  # variance 1
            module.weight.uniform_(-bound, bound, generator=generator)
            if module.padding_idx is not None:
                module.weight[module.padding_idx] = 0
