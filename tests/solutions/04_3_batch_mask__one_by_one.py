import torch


def batch_mask(token_mask, queries):
    """Entry by entry, into a mask of no."""
    B, T = token_mask.shape
    mask = torch.zeros(B, 1, queries, T, dtype=torch.bool)
    for b in range(B):
        for i in range(queries):
            for s in range(T - queries + i + 1):
                mask[b, 0, i, s] = bool(token_mask[b, s])
    return mask
