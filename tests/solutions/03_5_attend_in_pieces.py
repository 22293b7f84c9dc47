import math

import torch


def attend_in_pieces(query, keys, values, size):
    """Return the newest token's context row, [Dv], looking at only `size` keys at a time.

    query: [D]. keys: [T, D]. values: [T, Dv]. size: from 1 on; the last piece may be shorter.
    """
    largest = torch.tensor(-math.inf)  # the largest score so far
    total = torch.tensor(0.0)  # the sum of powers, each e to (score - largest)
    weighted = torch.zeros(values.shape[1])  # the sum of powers times values, [Dv]
    for start in range(0, len(keys), size):
        scores = keys[start : start + size] @ query / math.sqrt(len(query))  # [size]
        new = torch.maximum(largest, scores.max())
        powers = (scores - new).exp()  # [size]
        shrink = (largest - new).exp()  # for the sums so far; 0 at the first piece
        total = total * shrink + powers.sum()
        weighted = weighted * shrink + powers @ values[start : start + size]
        largest = new
    return weighted / total
