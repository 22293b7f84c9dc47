"""What several exercises of lesson 25 share: drawing whole numbers and floats."""

import torch


def whole(draw: torch.Generator, low: int, high: int) -> int:
    """Return a drawn whole number from low to high, both included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def between(draw: torch.Generator, low: float, high: float) -> float:
    """Return a drawn number between two others."""
    return low + (high - low) * float(torch.rand((), generator=draw, dtype=torch.float64))


def relative(got: list[float], right: list[float]) -> list[float]:
    """Return each number as a multiple of the right one, so that sizes do not matter."""
    return [one / other for one, other in zip(got, right, strict=True)]
