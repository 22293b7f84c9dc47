"""What several checks of lesson 05 need."""

import torch


def normal(draw: torch.Generator, *shape: int) -> torch.Tensor:
    """Return float32 numbers around 0."""
    return torch.randn(shape, generator=draw)
