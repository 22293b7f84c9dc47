import torch


def scaler_step(scale, good, gradients, grow_after):
    """All numbers in one row; the count by its remainder."""
    flat = torch.cat([g.reshape(-1) for g in gradients])
    if torch.isfinite(flat).logical_not().any():
        return (scale / 2 if scale >= 2 else 1, 0, None)
    count = (good + 1) % grow_after
    factor = scale if count else scale + scale
    return (factor, count, tuple(g.clone().div_(scale) for g in gradients))
