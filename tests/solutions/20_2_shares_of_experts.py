import math

import torch


def shares_of_experts(scores, k):
    """Return each expert's share for each token, [N, E]: 0 but for the k best of a row.

    scores: what the router says, [N, E]. The shares of a row are a softmax over its k best scores.
    """
    best = scores.topk(k, dim=-1)
    hidden = torch.full_like(scores, -math.inf).scatter(-1, best.indices, best.values)
    return hidden.softmax(dim=-1)
