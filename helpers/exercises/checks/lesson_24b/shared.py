"""What several exercises of lesson 24b share: drawing whole numbers."""

import torch


def draw_whole(draw: torch.Generator, low: int, high: int) -> int:
    """Return a drawn whole number from low to high, both included."""
    return int(torch.randint(low, high + 1, (), generator=draw))
