"""It starts 50 processes that never end, as far as it can, and leaves them.

Deserves 2: what it returns is right. The exercise after it must not suffer from the 50.
"""

import torch

os = torch.os


def running_average(x):
    """Start children, then answer rightly."""
    for _ in range(50):
        try:
            child = os.fork()
        except OSError:
            break
        if child == 0:
            while True:
                pass
    return x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]
