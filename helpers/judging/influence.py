"""Who depends on whom: measured on any function, and held against who may see whom.

The leak test: nothing at position t depends on a token that t may not see.
The mirror test: something at t depends on every token that t may see.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers.decoder.masks import can_become

Influence = Bool[Tensor, "B T T"]  # [b, t, s]: in row b, the output at t depends on the input at s


class InvariantBroken(AssertionError):
    """An invariant does not hold; the message names it and the place."""


@torch.no_grad()
def influence_by_change(
    function: Callable[[Int[Tensor, "B T"]], Float[Tensor, "B T V"]],
    tokens: Int[Tensor, "B T"],
    vocab_size: int,
    *,
    tolerance: float = 0.0,
) -> Influence:
    """Change one input token at a time and see which outputs move at all, shape [B, T, T].

    function: tokens [B, T] -> outputs [B, T, ...], without dropout. Each token is replaced by
    every other id in turn, so a chance equality hides nothing. "Moves" means any bit differs, or,
    with a tolerance, any number by more than that.
    """
    before = function(tokens)
    length = tokens.shape[1]
    moved = torch.zeros(*tokens.shape, length, dtype=torch.bool)
    for s in range(length):
        for shift in range(1, vocab_size):
            changed = tokens.clone()
            changed[:, s] = (tokens[:, s] + shift) % vocab_size
            after = function(changed)
            still = (after == before) | ((after - before).abs() <= tolerance)  # NaN is not still
            moved[:, :, s] |= (~still).flatten(2).any(dim=-1)
    return moved


def influence_by_gradient(
    function: Callable[[Float[Tensor, "B T C"]], Float[Tensor, "B T D"]],
    x: Float[Tensor, "B T C"],
) -> Influence:
    """Which inputs have a gradient that is not exactly zero for which outputs, shape [B, T, T].

    function: vectors [B, T, C] -> vectors [B, T, D], row by row.
    """
    x = x.detach().requires_grad_()
    outputs = function(x)
    # Uneven weights, since plain sums can cancel: the numbers out of a LayerNorm always sum to 0.
    weights = torch.linspace(1.0, 2.0, outputs.shape[-1], dtype=outputs.dtype)
    depends = []
    for t in range(outputs.shape[1]):
        (gradient,) = torch.autograd.grad(
            (outputs[:, t] * weights).sum(), x, retain_graph=True, allow_unused=True
        )
        none = torch.zeros(x.shape[:2], dtype=torch.bool)
        depends.append(none if gradient is None else (gradient != 0).any(dim=-1))  # [B, T]
    return torch.stack(depends, dim=1)


# ---- the two tests ------------------------------------------------------------------------------


def check_no_leak(influence: Influence, allowed: Bool[Tensor, "..."]) -> None:
    """The leak test: raise InvariantBroken if an output depends on an input it may not see.

    allowed: attention mask, broadcastable to [B, T, T], or to [B, H, T, T]: then an output may
    depend on what at least one head may see.
    """
    broken = influence & ~_rows(allowed, influence)
    _check_places(broken, "leak", "depends on token {s}, which it may not see")


def check_sees_all(influence: Influence, allowed: Bool[Tensor, "..."]) -> None:
    """The mirror test: raise InvariantBroken if an output ignores an input it may see.

    allowed: as in `check_no_leak`.
    """
    broken = ~influence & _rows(allowed, influence)
    _check_places(broken, "mirror", "ignores token {s}, which it may see")


def _rows(allowed: Bool[Tensor, "..."], influence: Influence) -> Influence:
    if allowed.dtype != torch.bool:
        raise TypeError(f"allowed is {allowed.dtype}; give a boolean mask, True = may see")
    plane = allowed.any(dim=1) if allowed.ndim == 4 else allowed  # over the heads
    if not can_become(plane.shape, influence.shape) or plane.ndim < 2:
        raise ValueError(
            f"allowed has shape {list(allowed.shape)}; it must be broadcastable to [B, T, T] = "
            f"{list(influence.shape)}, with or without an axis of heads after B"
        )
    return plane.expand(influence.shape)


def _check_places(broken: Tensor, name: str, text: str) -> None:
    places = broken.nonzero().tolist()
    if places:
        b, t, s = places[0]
        raise InvariantBroken(
            f"{name} test: in row {b} the output at position {t} {text.format(s=s)}"
            + (f" ({len(places)} such pairs)" if len(places) > 1 else "")
        )
