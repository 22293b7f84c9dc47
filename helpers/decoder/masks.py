"""Who may attend to whom.

An attention mask is boolean and True means "may attend", as in torch's
scaled_dot_product_attention. It can be broadcast to [B, H, Tq, Tk]: Tq queries, Tk keys. When there
are more keys than queries, the queries are the last ones: query i stands at position Tk - Tq + i.
Masks are combined as booleans with `both` and `either`, and turned into numbers once, at the end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor


def distance(queries: int, keys: int | None = None, device=None) -> Int[Tensor, "Tq Tk"]:
    """How many positions each key lies before each query, [Tq, Tk]; negative = in the future."""
    keys = queries if keys is None else keys
    if queries < 1 or keys < 1:
        raise ValueError(f"queries={queries}, keys={keys}; give at least one of each")
    if queries > keys:
        raise ValueError(
            f"queries={queries} is more than keys={keys}; the queries are the last of the keys"
        )
    query_at = torch.arange(keys - queries, keys, device=device)
    return query_at[:, None] - torch.arange(keys, device=device)[None, :]  # [Tq, Tk]


def causal(queries: int, keys: int | None = None, *, device=None) -> Bool[Tensor, "Tq Tk"]:
    """Each query sees itself and everything before it, shape [Tq, Tk].

    keys: Tk, as many as queries if None. With more keys than queries the triangle is aligned to
    the bottom right, so the last query always sees every key (torch's is_causal aligns top left).
    """
    return distance(queries, keys, device) >= 0


def window(
    queries: int, keys: int | None = None, *, width: int, device=None
) -> Bool[Tensor, "Tq Tk"]:
    """Causal, but only the last `width` tokens: itself and width - 1 before it, shape [Tq, Tk]."""
    if width < 1:
        raise ValueError(f"width is {width}; a query sees at least itself, so give 1 or more")
    back = distance(queries, keys, device)
    return (back >= 0) & (back < width)


def padding(token_mask: Bool[Tensor, "B Tk"]) -> Bool[Tensor, "B 1 1 Tk"]:
    """Nobody attends to padding: a token mask as an attention mask, shape [B, 1, 1, Tk]."""
    _need_bool(token_mask, "token_mask", "[B, T]", 2)
    return token_mask[:, None, None, :]


def document(
    document_ids: Int[Tensor, "B Tk"], queries: int | None = None
) -> Bool[Tensor, "B 1 Tq Tk"]:
    """Only tokens of the same document, shape [B, 1, Tq, Tk]; combine it with `causal`.

    document_ids: one number a token, equal within a document. queries: the last how many tokens
    ask; all if None.
    """
    if document_ids.ndim != 2:
        raise ValueError(f"document_ids has shape {list(document_ids.shape)}; give [B, T]")
    keys = document_ids.shape[1]
    queries = keys if queries is None else queries
    if not 1 <= queries <= keys:
        raise ValueError(f"queries is {queries}; give 1 to {keys}, the number of tokens")
    return (document_ids[:, keys - queries :, None] == document_ids[:, None, :])[:, None]


def prefix(
    lengths: Int[Tensor, "B"], queries: int, keys: int | None = None
) -> Bool[Tensor, "B 1 Tq Tk"]:
    """The first lengths[b] tokens see each other; the rest is causal, shape [B, 1, Tq, Tk]."""
    if lengths.ndim != 1 or lengths.dtype != torch.int64:
        raise ValueError(f"lengths is {lengths.dtype} {list(lengths.shape)}; give int64 [B]")
    past = causal(queries, keys, device=lengths.device)
    key_at = torch.arange(past.shape[1], device=lengths.device)
    # A query behind the prefix sees all of it anyway, so it is enough to open the prefix's keys.
    key_in_prefix = key_at[None] < lengths[:, None]  # [B, Tk]
    return either(past, key_in_prefix[:, None, None, :])


def both(*masks: Bool[Tensor, "..."] | None) -> Bool[Tensor, "..."] | None:
    """Allowed by every mask; None means "no limit", and None for all gives None."""
    return _combine(torch.logical_and, masks)


def either(*masks: Bool[Tensor, "..."]) -> Bool[Tensor, "..."]:
    """Allowed by at least one mask."""
    return _combine(torch.logical_or, masks)


def _combine(operation, masks):
    given = [mask for mask in masks if mask is not None]
    for i, mask in enumerate(given):
        if mask.dtype != torch.bool:
            raise TypeError(
                f"mask {i} is {mask.dtype}; combine boolean masks, then call to_additive once "
                "(two added planes of very negative numbers overflow)"
            )
    if not given:
        return None
    combined = given[0]
    for mask in given[1:]:
        try:
            combined = operation(combined, mask)
        except RuntimeError:
            raise ValueError(
                f"masks have shapes {', '.join(str(list(mask.shape)) for mask in given)}; "
                "they must be broadcastable to one another"
            ) from None
    return combined


# ---- the same mask in other conventions --------------------------------------------------------


def to_additive(
    mask: Bool[Tensor, "..."],
    dtype: torch.dtype = torch.float32,
    fill: Literal["infinite", "finite"] = "infinite",
) -> Float[Tensor, "..."]:
    """The mask as numbers added to the scores: 0 where allowed, very negative where not.

    fill: "infinite" is -inf: exact, but a row with nothing allowed becomes NaN in a plain softmax.
    "finite" is half the dtype's lowest number: half, so that adding a score cannot overflow to
    -inf. A row of it turns into the softmax of its scores, not into zeros.
    """
    _need_bool(mask, "mask", "any shape")
    if fill not in ("infinite", "finite"):
        raise ValueError(f"fill is {fill!r}; give 'infinite' or 'finite'")
    low = -math.inf if fill == "infinite" else torch.finfo(dtype).min / 2
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~mask, low)


def from_additive(additive: Float[Tensor, "..."]) -> Bool[Tensor, "..."]:
    """A mask of numbers back as booleans: 0 is allowed, -inf or half the lowest number is not.

    Raises ValueError for any other number: -1e5, say, hides a key only while scores stay small.
    """
    if not additive.is_floating_point():
        raise TypeError(f"additive is {additive.dtype}; give the float mask added to scores")
    hidden = additive <= torch.finfo(additive.dtype).min / 2
    unclear = ~(hidden | (additive == 0))
    if unclear.any():
        raise ValueError(
            f"additive holds {float(additive[unclear][0]):g}; a mask holds 0 and -inf (or at least "
            "half the dtype's lowest number). Numbers between are a bias, passed apart"
        )
    return ~hidden


def to_hidden(mask: Bool[Tensor, "..."]) -> Bool[Tensor, "..."]:
    """The mask where True means "must not attend", as torch's nn.MultiheadAttention wants it."""
    _need_bool(mask, "mask", "any shape")
    return ~mask


def check_mask(mask: Bool[Tensor, "..."], batch: int, heads: int, queries: int, keys: int) -> None:
    """Refuse a mask that is not boolean or cannot be broadcast to [B, H, Tq, Tk]."""
    _need_bool(mask, "mask", "[Tq, Tk] or [B, H, Tq, Tk]")
    check_plane("mask", mask, batch, heads, queries, keys)


def check_plane(name: str, plane: Tensor, batch: int, heads: int, queries: int, keys: int) -> None:
    """Refuse a mask or bias that cannot be broadcast to [B, H, Tq, Tk], or would enlarge it."""
    wanted = (batch, heads, queries, keys)
    if not can_become(plane.shape, wanted) or plane.ndim < 2:
        raise ValueError(
            f"{name} has shape {list(plane.shape)}; it must be broadcastable to [B, H, Tq, Tk] = "
            f"{list(wanted)}"
        )


def can_become(shape: Sequence[int], wanted: Sequence[int]) -> bool:
    """Whether a tensor of this shape can be broadcast to the wanted one, and leaves it as it is.

    torch.broadcast_shapes answers it too, but loads a library for algebra: 34 MB and a second.
    """
    pairs = zip(reversed(shape), reversed(wanted), strict=False)
    return len(shape) <= len(wanted) and all(have in (1, need) for have, need in pairs)


def _need_bool(mask: Tensor, name: str, shape: str, ndim: int | None = None) -> None:
    if mask.dtype != torch.bool:
        raise TypeError(
            f"{name} is {mask.dtype}; give a boolean tensor, True = may attend "
            "(from_additive turns a float mask into one)"
        )
    if ndim is not None and mask.ndim != ndim:
        raise ValueError(f"{name} has shape {list(mask.shape)}; give {shape}")
