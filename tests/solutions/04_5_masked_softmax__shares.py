import torch


def masked_softmax(scores, mask):
    """Powers and a division, in double precision, with the largest visible score subtracted."""
    scores = scores.double()
    largest = scores.masked_fill(~mask, -1e300).amax(-1, keepdim=True)
    powers = torch.where(mask, scores - largest, 0.0).exp() * mask
    total = powers.sum(-1, keepdim=True)
    return powers / (total + (total == 0))
