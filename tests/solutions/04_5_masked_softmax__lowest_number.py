import torch


def masked_softmax(scores, mask):
    """Fill with the dtype's lowest number, then keep the visible weights only."""
    lowest = torch.finfo(scores.dtype).min
    weights = torch.where(mask, scores, torch.full_like(scores, lowest)).softmax(-1)
    return weights * mask
