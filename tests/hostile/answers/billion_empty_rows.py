"""It returns a tensor of a billion rows without columns: no bytes, and a list of a billion lists.

Deserves 0.
"""

import torch


def running_average(x):
    """Return nothing, very often."""
    return torch.empty(10**9, 0)
