"""What several checks of lesson 17 need."""

import math

import torch


def normal(draw: torch.Generator, *shape: int) -> torch.Tensor:
    """Return float32 numbers around 0."""
    return torch.randn(shape, generator=draw)


def loud(draw: torch.Generator, shape: tuple[int, ...], size: int = 60) -> torch.Tensor:
    """Return whole numbers around 0: with D = 4 their scores are exact, and large."""
    return (size * normal(draw, *shape)).round()


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def attend(
    query: torch.Tensor,
    key: torch.Tensor,
    value: torch.Tensor,
    mask: torch.Tensor | None = None,
    scale: float | None = None,
) -> torch.Tensor:
    """Return attention of [..., Tq, D] over [..., Tk, D], in float64."""
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query.double() @ key.double().transpose(-2, -1) * scale
    if mask is not None:
        scores = scores.masked_fill(~mask, -math.inf)
    return scores.softmax(-1) @ value.double()
