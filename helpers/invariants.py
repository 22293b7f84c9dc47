"""What must hold for every causal model, as tests that name the position which breaks it.

The leak test: nothing at position t depends on a token that t may not see.
The mirror test: something at t depends on every token that t may see.
Then: a piece alone, in chunks, or in a padded batch gives the same numbers.

They work on any function from tokens (or vectors) to one output a position, not only on ours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor

from helpers import masks
from helpers.model import Decoder, evaluating
from helpers.tokens import pad_rows

Influence = Bool[Tensor, "B T T"]  # [b, t, s]: in row b, the output at t depends on the input at s


class InvariantBroken(AssertionError):
    """An invariant does not hold; the message names it and the place."""


# ---- who depends on whom, measured --------------------------------------------------------------


@torch.no_grad()
def influence_by_change(
    function: Callable[[Int[Tensor, "B T"]], Float[Tensor, "B T V"]],
    tokens: Int[Tensor, "B T"],
    vocab_size: int,
) -> Influence:
    """Change one input token at a time and see which outputs move at all, shape [B, T, T].

    function: tokens [B, T] -> outputs [B, T, ...], without dropout. Each token is replaced by
    every other id in turn, so a chance equality hides nothing. "Moves" means any bit differs.
    """
    before = function(tokens)
    length = tokens.shape[1]
    moved = torch.zeros(*tokens.shape, length, dtype=torch.bool)
    for s in range(length):
        for shift in range(1, vocab_size):
            changed = tokens.clone()
            changed[:, s] = (tokens[:, s] + shift) % vocab_size
            moved[:, :, s] |= (function(changed) != before).flatten(2).any(dim=-1)
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
    try:
        fits = torch.broadcast_shapes(plane.shape, influence.shape) == influence.shape
    except RuntimeError:
        fits = False
    if not fits or plane.ndim < 2:
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


# ---- the same numbers on every path -------------------------------------------------------------


def check_equal(
    got: Float[Tensor, "..."], wanted: Float[Tensor, "..."], what: str, tolerance: float = 1e-5
) -> None:
    """Raise InvariantBroken unless all numbers agree within `tolerance` and none is NaN."""
    if got.shape != wanted.shape:
        raise InvariantBroken(f"{what}: shape {list(got.shape)} against {list(wanted.shape)}")
    got, wanted = got.double(), wanted.double()  # whole numbers without a sign would wrap around
    gap = (got - wanted).abs()
    if not (gap <= tolerance).all():  # written so that NaN fails too
        worst = float(gap.nan_to_num(nan=float("inf")).max())
        raise InvariantBroken(f"{what}: numbers differ by up to {worst:.2g}, allowed {tolerance:g}")


def check_chunks(
    function: Callable[..., Float[Tensor, "B H Tq D"]],
    query: Float[Tensor, "B H T D"],
    key: Float[Tensor, "B H T D"],
    value: Float[Tensor, "B H T D"],
    cuts: Sequence[int],
    tolerance: float = 1e-5,
) -> None:
    """Causal attention over a text in pieces gives the numbers of one pass.

    function: attention(query, key, value, mask). cuts: where pieces end, e.g. [7, 16] for T = 16;
    each piece asks about all keys up to its own end. Raises ValueError unless they rise to T.
    """
    length = query.shape[2]
    if list(cuts) != sorted(set(cuts)) or not cuts or cuts[0] < 1 or cuts[-1] != length:
        raise ValueError(f"cuts is {list(cuts)}; give rising numbers from 1 that end with {length}")
    whole = function(query, key, value, masks.causal(length))
    start = 0
    for end in cuts:
        mask = masks.causal(end - start, end)
        piece = function(query[:, :, start:end], key[:, :, :end], value[:, :, :end], mask)
        check_equal(piece, whole[:, :, start:end], f"chunk {start}:{end}", tolerance)
        start = end


@torch.no_grad()
def check_padding(
    model: Decoder,
    rows: Sequence[Sequence[int]],
    *,
    extra: int = 0,
    tolerance: float = 1e-5,
) -> None:
    """Each row gives the same logits alone and in a batch padded on the left or on the right.

    extra: padding columns more than the longest row needs; all must fit the context.
    """
    length = max(map(len, rows), default=0) + extra
    with evaluating(model):
        alone = [model(torch.tensor([list(row)]))[0] for row in rows]
        for side in ("left", "right"):
            tokens, token_mask = pad_rows(rows, length, side)
            together = model(tokens, token_mask)
            for i, wanted in enumerate(alone):
                got = together[i, token_mask[i]]
                check_equal(got, wanted, f"row {i} in a batch padded on the {side}", tolerance)


# ---- the whole ladder ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Finding:
    """One rung: what was tested, whether it holds, and where it broke."""

    name: str
    holds: bool
    detail: str = ""

    def __str__(self) -> str:
        return f"{'holds ' if self.holds else 'BROKEN'}  {self.name}" + (
            f": {self.detail}" if self.detail else ""
        )


def ladder(model: Decoder, *, seed: int = 0) -> list[Finding]:
    """Every invariant that can be tested on this decoder, each with its finding.

    Tokens are changed in texts of up to 7 tokens, gradients taken in texts of up to 64: as many as
    fit the context. A decoder with a context of 1 has no room for padding, so that rung is missing.
    """
    config = model.config
    length, longer = min(config.context, 7), min(config.context, 64)
    generator = torch.Generator().manual_seed(seed)
    # ids from 3 on: no padding, and no special token stands in the middle of a sentence
    first = min(3, config.vocab_size - 1)
    tokens = torch.randint(first, config.vocab_size, (2, length), generator=generator)
    text = torch.randint(first, config.vocab_size, (1, longer), generator=generator)
    short, long = masks.causal(length), masks.causal(longer)
    rows = [tokens[0, : max(1, length // 2)].tolist(), tokens[1].tolist()]
    extra = 1 if length < config.context else 0

    with evaluating(model), torch.inference_mode(False):  # which also switches gradients on
        by_change = influence_by_change(model, tokens, config.vocab_size)
        by_gradient = influence_by_gradient(
            lambda x: model.head(model.through_blocks(x, model.mask(longer))),
            model.embed(text).detach(),
        )
    findings = [
        _finding("leak test by changing tokens", lambda: check_no_leak(by_change, short)),
        _finding("leak test by gradient", lambda: check_no_leak(by_gradient, long)),
        _finding("mirror test by changing tokens", lambda: check_sees_all(by_change, short)),
    ]
    if length > 1:
        check = partial(check_padding, model, rows, extra=extra)
        findings.append(_finding("same alone and in a padded batch", check))
    return findings


def _finding(name: str, check: Callable[[], None]) -> Finding:
    try:
        check()
    except InvariantBroken as broken:
        return Finding(name, False, str(broken))
    return Finding(name, True)
