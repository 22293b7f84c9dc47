import torch


def piece_mask(past, new, window=None):
    """Return who may attend to whom, boolean [new, past + new], for a piece after `past` tokens."""
    query = past + torch.arange(new)[:, None]  # [new, 1]: query i stands at past + i
    distance = query - torch.arange(past + new)  # [new, past + new]
    if window is None:
        return distance >= 0
    return (distance >= 0) & (distance < window)
