import math

import torch


def rms_norm(x, weight, eps, one_plus):
    """One vector after the other, with Python's own numbers."""
    C = x.shape[-1]
    scale = [w + one_plus for w in weight.tolist()]
    rows = []
    for row in x.reshape(-1, C).tolist():
        root = math.sqrt(sum(v * v for v in row) / C + eps)
        rows.append([v / root * s for v, s in zip(row, scale, strict=True)])
    return torch.tensor(rows).view(x.shape).to(x.dtype)
