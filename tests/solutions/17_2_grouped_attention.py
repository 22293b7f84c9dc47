import math

import torch


def grouped_attention(query, key, value, mask):
    """Return attention [B, H, Tq, D] in which H / G neighbouring query heads share.

    query [B, H, Tq, D], key and value [B, G, Tk, D], mask bool [Tq, Tk], True = may attend.
    """
    B, H, T, D = query.shape
    G = key.shape[1]
    query = query.reshape(B, G, H // G * T, D)  # the group's queries below one another
    scores = query @ key.transpose(-2, -1) / math.sqrt(D)  # [B, G, H / G * Tq, Tk]
    scores = scores.masked_fill(~mask.repeat(H // G, 1), -math.inf)
    return (torch.softmax(scores, dim=-1) @ value).view(B, H, T, D)
