"""The block that decoders and encoders are stacks of: look around, then think."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import torch
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.decoder.attention import MultiHeadAttention, Remember
from helpers.decoder.config import DecoderConfig
from helpers.decoder.experts import Experts
from helpers.decoder.feed_forward import FeedForward
from helpers.decoder.norms import make_norm
from helpers.decoder.rotary import Rotation


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
        self.dropout = nn.Dropout(config.dropout) if config.dropout else nn.Identity()

    def _add_norms(self, part: str, config: DecoderConfig) -> None:
        kinds = ("norm", "after_norm") if config.norm_placement == "both" else ("norm",)
        for kind in kinds:
            norm = make_norm(config.norm, config.width, eps=config.norm_eps)
            setattr(self, f"{part}_{kind}", norm)

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
        if self.attention is not None:
            attend = partial(self.attention, mask=mask, bias=bias, turn=turn, remember=remember)
            if self.parallel:
                seen = self._say(x, "attention", attend)
                return x + seen + self._say(x, "feed_forward", self.feed_forward)
            x = self._add(x, "attention", attend)
        if self.cross_attention is not None:
            look = partial(self.cross_attention.look, **memory._asdict())
            x = self._add(x, "cross_attention", look)
        return self._add(x, "feed_forward", self.feed_forward)

    def _add(self, x: Tensor, name: str, part: Callable[[Tensor], Tensor]) -> Tensor:
        """Add what a part says to the residual stream; "post" normalises afterwards."""
        if self.pre_norm:
            return x + self._say(x, name, part)
        norm = getattr(self, f"{name}_norm")
        return norm(x + self.dropout(part(x)))

    def _say(self, x: Tensor, name: str, part: Callable[[Tensor], Tensor]) -> Tensor:
        """What a part says about the normalised state, itself normalised where that is asked."""
        said = part(getattr(self, f"{name}_norm")(x))
        after = getattr(self, f"{name}_after_norm", None)
        return self.dropout(said if after is None else after(said))


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
