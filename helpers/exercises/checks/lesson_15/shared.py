"""What several checks of lesson 15 need."""

import torch

LAYOUTS = ("pairs", "halves")


def speeds(D: int, base: float = 10_000.0) -> torch.Tensor:
    """Return radians a token for each pair of lanes, float64."""
    return 1 / base ** (torch.arange(0, D, 2, dtype=torch.float64) / D)


def turned(x: torch.Tensor, angles: torch.Tensor, layout: str) -> torch.Tensor:
    """Return vectors [T, D] turned by angles [T, D/2], in float64."""
    x = x.double()
    a, b = (x[..., 0::2], x[..., 1::2]) if layout == "pairs" else x.chunk(2, dim=-1)
    new = (a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin())
    return torch.stack(new, -1).flatten(-2) if layout == "pairs" else torch.cat(new, dim=-1)
