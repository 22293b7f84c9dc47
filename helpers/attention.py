"""Attention, twice: written out to be read, and as torch's fused call. Tests hold them equal.

Shapes: queries [B, H, Tq, D], keys and values [B, H, Tk, D]; the mask is boolean, True = may
attend, broadcastable to [B, H, Tq, Tk] (see masks.py). A query that may attend to nothing gets
zeros, and its gradients are zeros.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.masks import check_mask, check_plane

# given new keys and values, returns those to look at: old and new
Remember = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def attention_weights(
    query: Float[Tensor, "B H Tq D"],
    key: Float[Tensor, "B H Tk D"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    scale: float | None = None,
) -> Float[Tensor, "B H Tq Tk"]:
    """softmax(scale * query key^T + bias) over the visible keys, shape [B, H, Tq, Tk].

    mask: True = may attend; all keys if None. bias: added to the scores, for relative positions.
    scale: 1 / sqrt(D) if None. Each row sums to 1, or is all zeros where nothing is visible.
    Source: Vaswani et al. 2017, section 3.2.1.
    """
    _check(query, key, key, mask, bias, scale)
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    exact = torch.promote_types(query.dtype, torch.float32)  # 16-bit scores could overflow
    scores = query.to(exact) @ key.to(exact).transpose(-2, -1) * scale  # [B, H, Tq, Tk]
    if bias is not None:
        shown = bias > -math.inf  # a bias of -inf hides a key, as a mask does, and is kept apart
        scores = scores + bias.to(exact).masked_fill(~shown, 0.0)
        mask = shown if mask is None else mask & shown
    if mask is None:
        return scores.softmax(dim=-1).to(query.dtype)
    # A row of only -inf would be 0/0. Such a row is left unmasked here, and zeroed afterwards, so
    # that neither its values nor its gradients are ever NaN.
    blind = ~mask.any(dim=-1, keepdim=True)  # [..., Tq, 1]
    scores = scores.masked_fill(~(mask | blind), -math.inf)
    return scores.softmax(dim=-1).masked_fill(blind, 0.0).to(query.dtype)


def attention(
    query: Float[Tensor, "B H Tq D"],
    key: Float[Tensor, "B H Tk D"],
    value: Float[Tensor, "B H Tk Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    scale: float | None = None,
) -> Float[Tensor, "B H Tq Dv"]:
    """Each query's weighted average of the values, shape [B, H, Tq, Dv]: the form to read."""
    _check(query, key, value, mask, bias, scale)
    return attention_weights(query, key, mask, bias=bias, scale=scale) @ value


def fused_attention(
    query: Float[Tensor, "B H Tq D"],
    key: Float[Tensor, "B H Tk D"],
    value: Float[Tensor, "B H Tk Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    scale: float | None = None,
) -> Float[Tensor, "B H Tq Dv"]:
    """The same numbers as `attention` by torch's scaled_dot_product_attention: the form to run.

    It never uses is_causal, which aligns to the top left when there are more keys than queries,
    and never dropout, which would act in evaluation as well.
    """
    _check(query, key, value, mask, bias, scale)
    blind = None
    if bias is not None and mask is not None:
        # torch takes one float mask for both; a row of only -inf is kept away from its softmax
        blind = ~mask.any(dim=-1, keepdim=True)
        bias = torch.where(mask | blind, bias, -math.inf)
    mask = mask if bias is None else bias.to(query.dtype)
    out = F.scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=scale)
    return out if blind is None else out.masked_fill(blind, 0.0)


def split_heads(x: Float[Tensor, "B T C"], heads: int) -> Float[Tensor, "B H T D"]:
    """[B, T, C] -> [B, H, T, D]: the width cut into heads, each with a sequence of its own."""
    batch, length, width = x.shape
    if width % heads:
        raise ValueError(f"width C={width} cannot be cut into heads H={heads} equal parts")
    return x.view(batch, length, heads, width // heads).transpose(1, 2)


def merge_heads(x: Float[Tensor, "B H T D"]) -> Float[Tensor, "B T C"]:
    """[B, H, T, D] -> [B, T, C]: the heads side by side again."""
    return x.transpose(1, 2).flatten(2)


class MultiHeadAttention(nn.Module):
    """Attention with H heads: three projections in, attention, one projection out.

    Queries come from x. Keys and values come from x as well (self-attention) or from another
    sequence (cross-attention); nothing else differs between the two.
    fused: compute by `fused_attention` (the default) or by the readable `attention`.
    Raises ValueError unless C is divisible by H.
    """

    def __init__(self, width: int, heads: int, *, fused: bool = True) -> None:
        super().__init__()
        if heads < 1 or width % heads:
            raise ValueError(f"width C={width} must be a multiple of heads H={heads}")
        self.heads = heads
        self.fused = fused
        self.query = nn.Linear(width, width)
        self.key = nn.Linear(width, width)
        self.value = nn.Linear(width, width)
        self.output = nn.Linear(width, width)

    def forward(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        source: Float[Tensor, "B Tk C"] | None = None,
        remember: Remember | None = None,
    ) -> Float[Tensor, "B T C"]:
        """Mix what `mask` allows, [B, T, C] in and out.

        source: where keys and values come from; x itself if None. remember: given the new keys and
        values, it returns those to look at, which is how a cache adds the past.
        """
        key, value = self.keys_values(x if source is None else source)
        if remember is not None:
            key, value = remember(key, value)  # [B, H, Tk, D]
        return self.look(x, key, value, mask)

    def keys_values(
        self, source: Float[Tensor, "B Tk C"]
    ) -> tuple[Float[Tensor, "B H Tk D"], Float[Tensor, "B H Tk D"]]:
        """What the source offers: its keys and values, [B, H, Tk, D] each."""
        return (
            split_heads(self.key(source), self.heads),
            split_heads(self.value(source), self.heads),
        )

    def look(
        self,
        x: Float[Tensor, "B T C"],
        key: Float[Tensor, "B H Tk D"],
        value: Float[Tensor, "B H Tk D"],
        mask: Bool[Tensor, "..."] | None = None,
    ) -> Float[Tensor, "B T C"]:
        """Look from x at keys and values that are there already, [B, T, C] in and out."""
        query = split_heads(self.query(x), self.heads)  # [B, H, T, D]
        mix = fused_attention if self.fused else attention
        return self.output(merge_heads(mix(query, key, value, mask)))  # [B, T, C]

    def weights(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        source: Float[Tensor, "B Tk C"] | None = None,
    ) -> Float[Tensor, "B H T Tk"]:
        """Who looks at whom: the attention weights for this input, shape [B, H, T, Tk]."""
        query = split_heads(self.query(x), self.heads)
        key, _ = self.keys_values(x if source is None else source)
        return attention_weights(query, key, mask)


def _check(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    mask: Tensor | None,
    bias: Tensor | None,
    scale: float | None,
) -> None:
    if scale is not None and not math.isfinite(scale):
        raise ValueError(f"scale is {scale}; give a finite number, or None for 1 / sqrt(D)")
    if not query.is_floating_point():
        raise TypeError(f"query is {query.dtype}; give a floating dtype such as torch.float32")
    for name, x in (("query", query), ("key", key), ("value", value)):
        if x.ndim != 4:
            raise ValueError(f"{name} has shape {list(x.shape)}; give four axes [B, H, T, D]")
        if x.dtype != query.dtype:
            raise TypeError(f"{name} is {x.dtype} but query is {query.dtype}; give one dtype")
        if x.device != query.device:
            raise ValueError(f"{name} is on {x.device} but query is on {query.device}")
        if x.shape[:2] != query.shape[:2]:
            raise ValueError(
                f"{name} has batch and heads {list(x.shape[:2])} but query has "
                f"{list(query.shape[:2])}; they must be equal"
            )
    if query.shape[-1] == 0:
        raise ValueError(f"query has shape {list(query.shape)}; give a head width D of 1 or more")
    if query.shape[-1] != key.shape[-1]:
        raise ValueError(
            f"query has head width {query.shape[-1]} but key has {key.shape[-1]}; give one width"
        )
    if key.shape[-2] != value.shape[-2]:
        raise ValueError(f"{key.shape[-2]} keys but {value.shape[-2]} values; one value a key")
    if mask is not None:
        if mask.device != query.device:
            raise ValueError(f"mask is on {mask.device} but query is on {query.device}")
        check_mask(mask, *query.shape[:3], key.shape[2])
    if bias is not None:
        if not bias.is_floating_point():
            raise TypeError(
                f"bias is {bias.dtype}; give floats to add to the scores (a mask goes into mask=)"
            )
        if bias.device != query.device:
            raise ValueError(f"bias is on {bias.device} but query is on {query.device}")
        check_plane("bias", bias, *query.shape[:3], key.shape[2])
