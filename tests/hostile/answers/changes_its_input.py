"""It works on what it is given in place, so that the check would see its own input changed.

Deserves 0: what it is given must stay as it was.
"""

import torch


def running_average(x):
    """Overwrite the input by the right answer."""
    x.copy_(x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None])
    return x
