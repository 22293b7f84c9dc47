import math

import torch


def cross_attend(x, source, Wq, Wk, Wv):
    """Row by row, in float64: powers of e, their sum, and the source averaged before Wv."""
    x, source, Wq, Wk, Wv = (part.double() for part in (x, source, Wq, Wk, Wv))
    out = torch.empty(len(x), Wv.shape[1], dtype=torch.float64)
    look = Wq @ Wk.T / math.sqrt(Wq.shape[1])  # [C, C]: one matrix for both projections
    for number, row in enumerate(x):
        scores = source @ (row @ look)  # [Tk]
        powers = torch.exp(scores - scores.max())
        mean = (powers[:, None] * source).sum(dim=0) / powers.sum()  # [C]
        out[number] = mean @ Wv
    return out
