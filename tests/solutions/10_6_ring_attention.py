import torch


def ring_attention(query, key, value, W):
    """Return (context [T, D], keys [W, D] of the ring at the end) for a window of W tokens."""
    T, D = query.shape
    keys, values = torch.zeros(2, W, D)  # the ring: all the room that there will ever be
    rows = []
    for t in range(T):
        keys[t % W], values[t % W] = key[t], value[t]  # over the oldest, once the ring is full
        filled = min(t + 1, W)
        scores = keys[:filled] @ query[t] / D**0.5  # [filled]
        rows.append(scores.softmax(dim=0) @ values[:filled])  # [D]
    # The order of the keys does not matter: a softmax divides by a sum, and a weighted average is
    # a sum, whatever the order of its terms. Where a token stands is in its key, since the position
    # was added to its state before the projection.
    return torch.stack(rows), keys
