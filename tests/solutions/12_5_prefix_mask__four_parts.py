import torch


def prefix_mask(S, T):
    """Four parts, put together."""
    upper = torch.cat([torch.full((S, S), True), torch.full((S, T), False)], dim=1)
    rows = [[True] * (S + t + 1) + [False] * (T - t - 1) for t in range(T)]
    lower = torch.tensor(rows, dtype=torch.bool).reshape(T, S + T)
    return torch.cat([upper, lower])
