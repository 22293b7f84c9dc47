import torch
import torch.nn.functional as F


def who_reads(query, key, value, out):
    """Every pair of heads at once by torch's call, then the nearest, if it is near."""
    H, G = len(query), len(key)
    shape = (H, G, *query.shape[1:])
    candidates = F.scaled_dot_product_attention(
        query[:, None].expand(shape), key.expand(shape), value.expand(shape)
    )  # [H, G, T, D]
    gaps = (candidates - out[:, None]).abs().flatten(2).amax(dim=-1)  # [H, G]
    smallest, nearest = gaps.min(dim=1)
    return torch.where(smallest < 1e-3, nearest, -1).tolist()
