"""It puts the hidden input into the shape of what it returns.

Deserves 0: the shape is wrong, and its sizes may not be shown.
"""

import torch


def running_average(x):
    """Tell the input."""
    return torch.empty(0, *(int(value.abs() * 10**7) for value in x[0]))
