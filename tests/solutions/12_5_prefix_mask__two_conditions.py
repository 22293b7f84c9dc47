import torch


def prefix_mask(S, T):
    """True where the key is a patch, or not later than the query."""
    place = torch.arange(S + T)
    query, key = torch.meshgrid(place, place, indexing="ij")
    return (key < S) | (key <= query)
