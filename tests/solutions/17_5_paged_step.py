import math

import torch


def paged_step(query, keys, values, tables, lengths):
    """Return what one new token of each row reads from a paged cache, [B, H, D].

    query [B, H, D]; keys and values [pages, P, G, D]; tables: a list of page numbers a row, in
    the order of its text; lengths: how many tokens of them count.
    """
    B, H, D = query.shape
    G = keys.shape[2]
    rows = []
    for b in range(B):
        key, value = (x[tables[b]].flatten(0, 1)[: lengths[b]] for x in (keys, values))  # [T, G, D]
        groups = query[b].view(G, H // G, D)  # neighbours share
        scores = groups @ key.permute(1, 2, 0) / math.sqrt(D)  # [G, H / G, T]
        rows.append((scores.softmax(dim=-1) @ value.transpose(0, 1)).reshape(H, D))
    return torch.stack(rows)
