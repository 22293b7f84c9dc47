import torch


def into_heads(x, H):
    """The columns of each head, one head after the other, in float64."""
    return torch.stack(x.double().chunk(H, dim=-1), dim=1)
