"""What several checks of lesson 06 need."""

import torch


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def mean(values) -> float:
    """Return the mean."""
    values = list(values)
    return sum(values) / len(values)
