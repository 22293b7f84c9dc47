"""What several checks of lesson 00 need."""

import torch


def right_piece(law: list[float], spot: float) -> int:
    """Return the index of the piece that the spot falls on."""
    end = 0.0
    for index, share in enumerate(law):
        end += share
        if spot < end:
            return index
    return max(index for index, share in enumerate(law) if share > 0)


def drawn_law(draw, V: int) -> list[float]:
    """Return V probabilities in whole 64ths, all above 0, that add up to 1 exactly."""
    cuts = sorted((1 + torch.randperm(63, generator=draw)[: V - 1]).tolist())
    ends = [*cuts, 64]
    return [(end - start) / 64 for start, end in zip([0, *cuts], ends, strict=True)]
