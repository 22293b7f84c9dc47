import math
from functools import reduce

import torch


def wrong_largest_starts_at_zero(query, keys, values, size):
    """the largest score so far starts at 0, so scores all far below 0 give powers of 0 and NaN

    Feedback: scores that all lie far below 0 come to nothing: the largest so far must begin at -inf
    """
    # wrong for: all scores -1000
    top = torch.tensor(0.0)
    total = torch.tensor(0.0)
    row = torch.zeros(values.shape[1])
    for start in range(0, len(keys), size):
        scores = keys[start : start + size] @ query / math.sqrt(len(query))
        new = torch.maximum(top, scores.max())
        powers = (scores - new).exp()
        old = (top - new).exp()
        total = total * old + powers.sum()
        row = row * old + powers @ values[start : start + size]
        top = new
    return row / total


def wrong_short_piece_dropped(query, keys, values, size):
    """only whole pieces are counted (T // size, at least one), so a shorter last piece is lost

    Feedback: the last piece, where T is no multiple of the size, does not count
    """
    # wrong for: T = 5, size = 2: the newest token itself is left out
    top, total, row = -math.inf, 0.0, 0.0
    for piece in range(max(1, len(keys) // size)):
        part = slice(piece * size, (piece + 1) * size)
        scores = keys[part] @ query / math.sqrt(len(query))
        new = max(top, scores.max().item())
        old, powers = math.exp(top - new), (scores - new).exp()
        total = total * old + powers.sum()
        row = row * old + powers @ values[part]
        top = new
    return row / total


def right_merged_summaries(query, keys, values, size):
    """every piece becomes a summary of largest score, sum and row; two summaries are merged into
    one
    """

    def summary(start):
        scores = keys[start : start + size].double() @ query.double()
        scores = scores / math.sqrt(query.numel())
        top = scores.max()
        powers = torch.exp(scores - top)
        return top, powers.sum(), powers @ values[start : start + size].double()

    def merge(one, other):
        top = torch.maximum(one[0], other[0])
        a, b = torch.exp(one[0] - top), torch.exp(other[0] - top)
        return top, a * one[1] + b * other[1], a * one[2] + b * other[2]

    _, total, row = reduce(merge, map(summary, range(0, len(keys), size)))
    return (row / total).to(values.dtype)


# STATEMENT: a size beyond 2**63? (`keys.split(size)` refuses it.) dtypes are not said.
