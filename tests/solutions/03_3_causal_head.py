import torch


def causal_head(x, Wq, Wk, Wv):
    """Return the context rows of one causal head: [T, C] -> [T, Dv]."""
    query = x @ Wq  # [T, D]
    key = x @ Wk  # [T, D]
    value = x @ Wv  # [T, Dv]
    scores = query @ key.T / query.shape[-1] ** 0.5  # [T, T]
    future = torch.ones(scores.shape, dtype=torch.bool).triu(diagonal=1)
    weights = scores.masked_fill(future, float("-inf")).softmax(dim=-1)
    return weights @ value
