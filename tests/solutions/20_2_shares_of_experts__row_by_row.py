import math

import torch


def shares_of_experts(scores, k):
    """Sort each row, take powers of the differences to its best score."""
    result = torch.zeros(scores.shape, dtype=torch.float64)
    for row, numbers in enumerate(scores.tolist()):
        order = sorted(range(len(numbers)), key=numbers.__getitem__, reverse=True)[:k]
        powers = [math.exp(numbers[e] - numbers[order[0]]) for e in order]
        for e, power in zip(order, powers, strict=True):
            result[row, e] = power / sum(powers)
    return result
