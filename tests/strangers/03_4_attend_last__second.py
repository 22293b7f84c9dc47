import math

import torch


def wrong_powers_as_they_are(query, keys, values):
    """the largest score is not taken off, so beyond 88 the powers are infinite and below -104 all
    are 0

    Feedback: large scores overflow: subtract the largest one before you take powers
    """
    # wrong for: scores of 200 gives NaN
    powers = (keys @ query / math.sqrt(len(query))).exp()
    return powers @ values / powers.sum()


def wrong_root_of_value_width(query, keys, values):
    """divided by the root of the values' width, which is right only where it is the queries'

    Feedback: the scores are divided by the root of Dv, not of D
    """
    # wrong for: D = 2, Dv = 3
    scores = keys @ query / math.sqrt(values.shape[-1])
    return scores.softmax(dim=-1) @ values


def right_plain_lists(query, keys, values):
    """plain lists and fsum, a tensor only at the end"""
    q, rows, V = query.tolist(), keys.tolist(), values.tolist()
    scores = [math.fsum(map(float.__mul__, q, k)) / math.sqrt(len(q)) for k in rows]
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    total = math.fsum(powers)
    row = [math.fsum(p * v for p, v in zip(powers, c)) / total for c in zip(*V)]
    return torch.tensor(row, dtype=values.dtype)


# STATEMENT: dtypes are not said.
