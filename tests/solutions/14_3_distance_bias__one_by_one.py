import torch


def distance_bias(table, queries, keys):
    """Number by number; the future stays as it was filled."""
    reach, H = table.shape
    bias = torch.full((H, queries, keys), float("-inf"), dtype=torch.float64)
    for i in range(queries):
        at = keys - queries + i
        for s in range(at + 1):
            bias[:, i, s] = table[min(at - s, reach - 1)]
    return bias
