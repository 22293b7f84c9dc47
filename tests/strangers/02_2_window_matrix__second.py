import torch


def wrong_divided_by_width(length, width):
    """all rows are divided by the width, so the first rows do not sum to 1 unless the width
    reaches the length

    Feedback: a row does not sum to 1: near the beginning the window holds fewer rows than width
    """
    # wrong for: window_matrix(4, 2): row 0 is [0.5, 0, 0, 0], right [1, 0, 0, 0]
    W = torch.zeros(length, length)
    for t in range(length):
        n = width if width < length else t + 1
        W[t, max(0, t - width + 1) : t + 1] = 1 / n
    return W


def wrong_start_below_zero(length, width):
    """the window's start is not kept from going below 0, so it counts from the end and the first
    rows stay empty

    Feedback: a row does not sum to 1: near the beginning the window holds fewer rows than width
    """
    # wrong for: window_matrix(4, 2): row 0 is all 0, right [1, 0, 0, 0]
    W = torch.zeros(length, length)
    for t in range(length):
        W[t, t - width + 1 : t + 1] = 1 / min(width, t + 1)
    return W


def right_lists(length, width):
    """plain lists, one comprehension, float64"""
    return torch.tensor(
        [[(t - width < s <= t) / min(t + 1, width) for s in range(length)] for t in range(length)],
        dtype=torch.float64,
    )


# STATEMENT: the width has no upper bound: torch.tril(.., diagonal=-width) raises beyond
# 2**63. Say "up to a million" or so.
