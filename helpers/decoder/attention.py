"""Attention, twice: written out to be read, and as torch's fused call. Tests hold them equal.

Shapes: queries [B, H, Tq, D], keys and values [B, G, Tk, D]; the mask is boolean, True = may
attend, broadcastable to [B, H, Tq, Tk] (see masks.py). A query that may attend to nothing gets
zeros, and its gradients are zeros.

G, the number of key/value heads, divides H, and H / G neighbouring query heads share one. G = H is
multi-head attention, G = 1 multi-query attention (Shazeer 2019), between them lies grouped-query
attention (Ainslie et al. 2023).
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F
from jaxtyping import Bool, Float
from torch import Tensor, nn

from helpers.decoder.masks import check_mask, check_plane
from helpers.decoder.norms import make_norm
from helpers.decoder.rotary import Rotation, rotate

# given new keys and values, returns those to look at: old and new
Remember = Callable[[Tensor, Tensor], tuple[Tensor, Tensor]]


def attention_weights(
    query: Float[Tensor, "B H Tq D"],
    key: Float[Tensor, "B G Tk D"],
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
    key = _for_each_query_head(key, query.shape[1])  # [B, H, Tk, D]
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
    key: Float[Tensor, "B G Tk D"],
    value: Float[Tensor, "B G Tk Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    scale: float | None = None,
) -> Float[Tensor, "B H Tq Dv"]:
    """Each query's weighted average of the values, shape [B, H, Tq, Dv]: the form to read."""
    _check(query, key, value, mask, bias, scale)
    weights = attention_weights(query, key, mask, bias=bias, scale=scale)  # [B, H, Tq, Tk]
    return weights @ _for_each_query_head(value, query.shape[1])


def _for_each_query_head(x: Tensor, heads: int) -> Tensor:
    """Keys or values [B, G, Tk, D] -> [B, H, Tk, D]; query head h reads number h // (H / G)."""
    return x if x.shape[1] == heads else x.repeat_interleave(heads // x.shape[1], dim=1)


def fused_attention(
    query: Float[Tensor, "B H Tq D"],
    key: Float[Tensor, "B G Tk D"],
    value: Float[Tensor, "B G Tk Dv"],
    mask: Bool[Tensor, "..."] | None = None,
    *,
    bias: Float[Tensor, "..."] | None = None,
    scale: float | None = None,
) -> Float[Tensor, "B H Tq Dv"]:
    """The same numbers as `attention` by torch's scaled_dot_product_attention: the form to run.

    It never uses is_causal, which aligns to the top left when there are more keys than queries,
    and never dropout, which would act in evaluation as well. 16-bit numbers on a CPU are computed
    with in float32, and rounded once: torch's own 16-bit kernels are several times slower there,
    most of all backwards and for a single query.
    """
    _check(query, key, value, mask, bias, scale)
    given = query.dtype
    if query.device.type == "cpu" and given in (torch.float16, torch.bfloat16):
        query, key, value = query.float(), key.float(), value.float()
    blind = None
    if bias is not None and mask is not None:
        # torch takes one float mask for both; a row of only -inf is kept away from its softmax
        blind = ~mask.any(dim=-1, keepdim=True)
        bias = torch.where(mask | blind, bias, -math.inf)
    mask = mask if bias is None else bias.to(query.dtype)
    grouped = key.shape[1] != query.shape[1]
    out = F.scaled_dot_product_attention(
        query, key, value, attn_mask=mask, scale=scale, enable_gqa=grouped
    )
    return (out if blind is None else out.masked_fill(blind, 0.0)).to(given)


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
    key_value_heads: G, how many heads keys and values have; H if None. head_width: D; C / H if
    None. qkv_bias, output_bias: whether those projections add a bias. query_key_norm: a norm over
    D for each head's queries and keys, "layer", "rms" or "one_plus_rms", with norm_eps.
    fused: compute by `fused_attention` (the default) or by the readable `attention`.
    Raises ValueError unless C is divisible by H (where D is not given), and H by G.
    """

    def __init__(
        self,
        width: int,
        heads: int,
        *,
        key_value_heads: int | None = None,
        head_width: int | None = None,
        qkv_bias: bool = True,
        output_bias: bool = True,
        query_key_norm: str | None = None,
        norm_eps: float = 1e-5,
        fused: bool = True,
    ) -> None:
        super().__init__()
        if heads < 1 or (head_width is None and width % heads):
            raise ValueError(f"width C={width} must be a multiple of heads H={heads}")
        groups = heads if key_value_heads is None else key_value_heads
        if groups < 1 or heads % groups:
            raise ValueError(f"heads H={heads} must be a multiple of key_value_heads G={groups}")
        head_width = width // heads if head_width is None else head_width
        self.heads, self.groups = heads, groups
        self.fused = fused
        self.query = nn.Linear(width, heads * head_width, bias=qkv_bias)
        self.key = nn.Linear(width, groups * head_width, bias=qkv_bias)
        self.value = nn.Linear(width, groups * head_width, bias=qkv_bias)
        self.output = nn.Linear(heads * head_width, width, bias=output_bias)
        self.query_norm = self.key_norm = nn.Identity()
        if query_key_norm is not None:
            self.query_norm = make_norm(query_key_norm, head_width, eps=norm_eps)
            self.key_norm = make_norm(query_key_norm, head_width, eps=norm_eps)

    def forward(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        source: Float[Tensor, "B Tk C"] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        turn: Rotation | None = None,
        remember: Remember | None = None,
    ) -> Float[Tensor, "B T C"]:
        """Mix what `mask` allows, [B, T, C] in and out.

        source: where keys and values come from; x itself if None. bias: added to the scores.
        turn: the angles of x's tokens, for rotary positions. remember: given the new keys (turned
        already) and values, it returns those to look at, which is how a cache adds the past.
        """
        key, value = self.keys_values(x if source is None else source, turn)
        query = self.queries(x, turn)
        if remember is not None:
            key, value = remember(key, value)  # [B, G, Tk, D]
        return self._mix(query, key, value, mask, bias)

    def keys_values(
        self, source: Float[Tensor, "B Tk C"], turn: Rotation | None = None
    ) -> tuple[Float[Tensor, "B G Tk D"], Float[Tensor, "B G Tk D"]]:
        """What the source offers: its keys and values, [B, G, Tk, D] each."""
        key = self.key_norm(split_heads(self.key(source), self.groups))
        value = split_heads(self.value(source), self.groups)
        return self._turned(key, turn), value

    def queries(
        self, x: Float[Tensor, "B T C"], turn: Rotation | None = None
    ) -> Float[Tensor, "B H T D"]:
        """What x asks, [B, H, T, D]."""
        return self._turned(self.query_norm(split_heads(self.query(x), self.heads)), turn)

    @staticmethod
    def _turned(x: Tensor, turn: Rotation | None) -> Tensor:
        return x if turn is None else rotate(x, turn)

    def look(
        self,
        x: Float[Tensor, "B T C"],
        key: Float[Tensor, "B G Tk D"],
        value: Float[Tensor, "B G Tk D"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        bias: Float[Tensor, "..."] | None = None,
        turn: Rotation | None = None,
    ) -> Float[Tensor, "B T C"]:
        """Look from x at keys and values that are there already, [B, T, C] in and out."""
        return self._mix(self.queries(x, turn), key, value, mask, bias)

    def _mix(
        self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, bias: Tensor | None
    ) -> Tensor:
        mix = fused_attention if self.fused else attention
        mixed = mix(query, key, value, mask, bias=bias)  # [B, H, T, D]
        return self.output(merge_heads(mixed))  # [B, T, C]

    def weights(
        self,
        x: Float[Tensor, "B T C"],
        mask: Bool[Tensor, "..."] | None = None,
        *,
        source: Float[Tensor, "B Tk C"] | None = None,
        bias: Float[Tensor, "..."] | None = None,
        turn: Rotation | None = None,
    ) -> Float[Tensor, "B H T Tk"]:
        """Who looks at whom: the attention weights for this input, shape [B, H, T, Tk]."""
        key, _ = self.keys_values(x if source is None else source, turn)
        return attention_weights(self.queries(x, turn), key, mask, bias=bias)


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
        batch, heads = x.shape[:2]
        shared = heads == key.shape[1] and heads > 0 and query.shape[1] % heads == 0
        if batch != query.shape[0] or (x is not query and not shared):
            raise ValueError(
                f"{name} has batch and heads {list(x.shape[:2])} but query has "
                f"{list(query.shape[:2])}; the batch must be equal, and the heads of key and value "
                "one number that divides those of query"
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
