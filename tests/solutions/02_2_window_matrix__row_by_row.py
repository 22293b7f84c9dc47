import torch


def window_matrix(length, width):
    """Fill in row by row, in double precision."""
    W = torch.zeros(length, length, dtype=torch.float64)
    for t in range(length):
        start = max(0, t + 1 - width)
        for s in range(start, t + 1):
            W[t, s] = 1 / (t + 1 - start)
    return W
