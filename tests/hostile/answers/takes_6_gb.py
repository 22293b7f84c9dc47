"""It takes 6 GB of memory.

Deserves 0.
"""

import torch


def running_average(x):
    """Fill 6 GB, then answer rightly."""
    kept = [torch.ones(2**28) for _ in range(6)]
    return x.cumsum(0) / torch.arange(1, len(x) + len(kept) - 5)[:, None]
