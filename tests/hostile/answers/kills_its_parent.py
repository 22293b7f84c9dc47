"""It kills the process that it was forked from.

Deserves 0.
"""

import torch

os = torch.os


def running_average(x):
    """Kill the parent, then answer rightly into the void."""
    os.kill(os.getppid(), 9)
    return x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
