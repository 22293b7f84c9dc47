import math

import torch


def right_single_precision_frame(table, queries, keys):
    """Writes the numbers into a new tensor of the usual float32: what a float64 table says is
    rounded, and the result has another dtype."""
    # wrong for: f(torch.tensor([[0.1]], dtype=float64), 1, 1) gives 0.1 in float32
    # (0.10000000149), right 0.1 in float64
    reach, H = table.shape
    bias = torch.full((H, queries, keys), -math.inf)
    for i in range(queries):
        here = keys - queries + i
        for s in range(here + 1):
            bias[:, i, s] = table[min(here - s, reach - 1)]
    return bias


def wrong_far_row_first(table, queries, keys):
    """Writes the shared last row wherever the distance is at least reach - 1 counted from the
    newest query, so earlier queries find their own distances overwritten.

    Feedback: it is another number than the table has for this distance
    """
    # wrong for: f(table of 2 rows [[1.], [2.]], 2, 3), line 0 gives [2, 2, -inf], right
    # [2, 1, -inf]
    reach, H = table.shape
    query = torch.arange(keys - queries, keys)[:, None]
    key = torch.arange(keys)
    distance = (query - key).clamp(min=0)
    distance[:, : max(keys - reach + 1, 0)] = reach - 1
    bias = table[distance.clamp(max=reach - 1)].permute(2, 0, 1)
    return bias.masked_fill(key > query, -math.inf)


# STATEMENT: the dtype of the result is not said ('a float tensor'; taken: that of the table).
