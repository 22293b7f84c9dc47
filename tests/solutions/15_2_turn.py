import torch


def turn(x, positions, base, layout):
    """Return the vectors x [T, D], each turned by its position, shape [T, D].

    positions: int64 [T]. layout: "pairs" (lanes 0 and 1, 2 and 3 ...) or "halves" (i and i + D/2).
    """
    D = x.shape[1]
    angles = positions[:, None] * base ** (-torch.arange(0, D, 2) / D)  # [T, D/2]
    cos, sin = angles.cos(), angles.sin()
    a, b = (x[:, 0::2], x[:, 1::2]) if layout == "pairs" else x.chunk(2, dim=-1)
    new = (a * cos - b * sin, b * cos + a * sin)
    return torch.stack(new, dim=-1).flatten(1) if layout == "pairs" else torch.cat(new, dim=-1)
