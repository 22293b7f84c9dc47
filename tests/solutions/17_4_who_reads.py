import math

import torch


def who_reads(query, key, value, out):
    """Return the key/value head that each query head read, a list of H ints, -1 for none.

    query and out [H, T, D], key and value [G, T, D]; there is no mask.
    """
    found = []
    for h in range(len(query)):
        scores = query[h] @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])  # [G, T, T]
        candidates = scores.softmax(dim=-1) @ value  # [G, T, D]: what each head would give
        fits = [g for g in range(len(key)) if torch.allclose(candidates[g], out[h], atol=1e-4)]
        found.append(fits[0] if fits else -1)
    return found
