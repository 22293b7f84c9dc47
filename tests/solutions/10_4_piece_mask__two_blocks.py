import torch


def piece_mask(past, new, window=None):
    """An open block for the past beside a triangle; then the window is cut off with another one."""
    open_past = torch.ones(new, past, dtype=torch.bool)
    triangle = torch.ones(new, new, dtype=torch.bool).tril()
    mask = torch.cat([open_past, triangle], dim=1)
    if window is not None:
        mask = mask & torch.ones_like(mask).triu(diagonal=past - window + 1)
    return mask
