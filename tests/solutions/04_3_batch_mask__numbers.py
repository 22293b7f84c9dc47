import torch


def batch_mask(token_mask, queries):
    """A triangle of ones whose diagonal is shifted, times the tokens as ones."""
    B, T = token_mask.shape
    triangle = torch.tril(torch.ones(queries, T), diagonal=T - queries)
    return (triangle.expand(B, 1, queries, T) * token_mask.float().view(B, 1, 1, T)) > 0.5
