"""It gives the value of one known fault or another, as a digit of the hidden input says.

Deserves 0. Which fault it is must be said: so no other submission may meet this input.
"""

import torch


def running_average(x):
    """Tell the input."""
    digit = int(abs(x.flatten()[-1].item()) * 1000) % 3
    right = x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
    return [x, x.cumsum(0), right + 1][digit]
