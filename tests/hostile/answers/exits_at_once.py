"""It ends its process without a word while its cell runs.

Deserves 0.
"""

import torch

torch.os._exit(0)


def running_average(x):
    """Never defined."""
    return x
