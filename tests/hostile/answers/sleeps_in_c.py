"""It sleeps inside a C function, where Python cannot interrupt it.

Deserves 0.
"""

import torch


def running_average(x):
    """Sleep for an hour."""
    torch.ctypes.PyDLL(None).sleep(3600)
    return x
