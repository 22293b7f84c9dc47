import torch


def window_matrix(length, width):
    """Return the matrix [length, length] whose row t averages the last width rows up to t."""
    band = torch.ones(length, length).tril().triu(diagonal=1 - width)
    return band / band.sum(dim=1, keepdim=True)
