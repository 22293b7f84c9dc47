"""A function that calls itself without end, with Python's own limit taken away.

Deserves 0.
"""

import torch

torch.sys.setrecursionlimit(10**9)


def running_average(x):
    """Call itself until the stack is full."""
    return running_average(x.clone())
