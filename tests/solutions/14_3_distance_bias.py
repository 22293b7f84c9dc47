import math

import torch


def distance_bias(table, queries, keys):
    """Return what is added to the scores, [H, queries, keys]; minus infinity in the future.

    table: [reach, H], row d for what lies d tokens back. The queries are the last of the keys.
    """
    query_at = torch.arange(keys - queries, keys)
    back = query_at[:, None] - torch.arange(keys)  # [Tq, Tk]
    bias = table[back.clamp(0, len(table) - 1)]  # [Tq, Tk, H]
    return bias.permute(2, 0, 1).masked_fill(back < 0, -math.inf)
