import torch


def step(query, key, value, keys, values):
    """Return (context [D], keys [t + 1, D], values [t + 1, D]) for the token after t others."""
    keys = torch.cat([keys, key[None]])  # [t + 1, D], new memory: the old keys stay as they were
    values = torch.cat([values, value[None]])  # [t + 1, D]
    scores = keys @ query / len(query) ** 0.5  # [t + 1], all of them the past or itself: no mask
    return scores.softmax(dim=0) @ values, keys, values
