"""What several checks of lesson 11 need."""

import torch


def between(draw: torch.Generator, low: float, high: float) -> float:
    """Return a number between two others."""
    return low + (high - low) * float(torch.rand((), generator=draw, dtype=torch.float64))


def whole_between(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high, both included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def shuffled(draw: torch.Generator, values: list) -> list:
    """Return the values in another order."""
    return [values[i] for i in torch.randperm(len(values), generator=draw).tolist()]
