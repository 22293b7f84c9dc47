"""The block that decoders and encoders are stacks of: look around, then think."""

from __future__ import annotations

import math
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.attention import MultiHeadAttention, Remember
from helpers.config import DecoderConfig
from helpers.experts import Experts
from helpers.feed_forward import FeedForward
from helpers.norms import make_norm
from helpers.rotary import Rotation


class BlockMemory(NamedTuple):
    """What one block's cross-attention looks at: keys and values [B, G, S, D], and who may."""

    key: Float[Tensor, "B G S D"]
    value: Float[Tensor, "B G S D"]
    mask: Bool[Tensor, "B 1 1 S"] | None


class Block(nn.Module):
    """Look around, then think: attention and feed-forward, each added to what was there.

    The block does not know that it is causal; the mask it is given makes it so. Without a mask it
    is an encoder block. With cross-attention, it looks at a second sequence in between. A parallel
    block looks and thinks at once: both read the same state.
    """

    def __init__(self, config: DecoderConfig) -> None:
        super().__init__()
        self.pre_norm = config.norm_placement != "post"
        self.parallel = config.parallel
        self.attention = self.cross_attention = None
        if config.attention:
            self.attention = _attention(config)
            self._add_norms("attention", config)
        if config.cross_attention:
            self.cross_attention = _attention(config)
            self._add_norms("cross_attention", config)
        self.feed_forward = _feed_forward(config)
        self._add_norms("feed_forward", config)
        self.dropout = nn.Dropout(config.dropout) if config.dropout else None

    def _add_norms(self, part: str, config: DecoderConfig) -> None:
        def norm() -> nn.Module:
            return make_norm(config.norm, config.width, eps=config.norm_eps)

        setattr(self, f"{part}_norm", norm())
        setattr(self, f"{part}_after_norm", norm() if config.norm_placement == "both" else None)

    def forward(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        bias: Float[Tensor, "..."] | None = None,
        turn: Rotation | None = None,
        remember: Remember | None = None,
        memory: BlockMemory | None = None,
    ) -> Float[Tensor, "B T C"]:
        """[B, T, C] in and out; mask: True = may attend, broadcastable to [B, H, T, Tk].

        bias: added to the scores of attention. turn: the angles of rotary positions.
        remember: how a cache adds the past. memory: what cross-attention looks at.
        """
        if (memory is not None) != (self.cross_attention is not None):
            raise ValueError(
                "memory is missing; this block looks at a second sequence"
                if memory is None
                else "memory is given, but this block has no cross-attention"
            )
        start, attention = x, self.attention
        if attention is not None:
            norm, after = self.attention_norm, self.attention_after_norm
            seen = attention(self._read(x, norm), mask, bias=bias, turn=turn, remember=remember)
            x = self._add(x, seen, norm, after)
        if self.cross_attention is not None:
            norm, after = self.cross_attention_norm, self.cross_attention_after_norm
            seen = self.cross_attention.look(self._read(x, norm), *memory)
            x = self._add(x, seen, norm, after)
        norm, after = self.feed_forward_norm, self.feed_forward_after_norm
        thought = self.feed_forward(self._read(start if self.parallel else x, norm))
        return self._add(x, thought, norm, after)

    def _read(self, x: Tensor, norm: nn.Module) -> Tensor:
        """What a part reads of the residual stream; "post" normalises afterwards."""
        return norm(x) if self.pre_norm else x

    def _add(self, x: Tensor, said: Tensor, norm: nn.Module, after: nn.Module | None) -> Tensor:
        """The residual stream with what a part says, itself normalised where that is asked."""
        if after is not None:
            said = after(said)
        if self.dropout is not None:
            said = self.dropout(said)
        return x + said if self.pre_norm else norm(x + said)


def _attention(config: DecoderConfig) -> MultiHeadAttention:
    return MultiHeadAttention(
        config.width,
        config.heads,
        key_value_heads=config.G,
        head_width=config.D,
        qkv_bias=config.qkv_bias,
        output_bias=config.output_bias,
        query_key_norm=config.norm if config.query_key_norm else None,
        norm_eps=config.norm_eps,
    )


def _feed_forward(config: DecoderConfig) -> FeedForward | Experts:
    shape = (config.width, config.hidden_width)
    kind = {"kind": config.feed_forward, "bias": config.feed_forward_bias}
    if config.experts is None:
        return FeedForward(*shape, **kind)
    return Experts(
        *shape, count=config.experts, used=config.experts_used, routing=config.routing, **kind
    )


@torch.no_grad()
def draw_weights(model: nn.Module, generator: torch.Generator) -> None:
    """Draw the first weights of all linear layers and embeddings of a model, in place."""
    # Uniform numbers, since torch draws them alike on every processor; normal ones it does not.
    for module in model.modules():
        if isinstance(module, nn.Linear):
            bound = 1 / math.sqrt(module.in_features)
            module.weight.uniform_(-bound, bound, generator=generator)
            if module.bias is not None:
                module.bias.zero_()
        elif isinstance(module, nn.Embedding):
            bound = math.sqrt(3)  # variance 1
            module.weight.uniform_(-bound, bound, generator=generator)
            if module.padding_idx is not None:
                module.weight[module.padding_idx] = 0
