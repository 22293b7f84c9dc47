import torch
from torch.nn import functional as F


def step(query, key, value, keys, values):
    """With torch's own attention."""
    keys, values = torch.vstack((keys, key)), torch.vstack((values, value))
    context = F.scaled_dot_product_attention(query[None, None], keys[None], values[None])
    return context[0, 0], keys, values
