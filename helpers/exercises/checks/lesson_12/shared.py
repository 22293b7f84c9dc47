"""What several checks of lesson 12 need."""

import torch


def whole_between(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high, both included."""
    return int(torch.randint(low, high + 1, (), generator=draw))
