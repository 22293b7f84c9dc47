"""It prints 200 MB before it answers.

Deserves 2: what it returns is right.
"""

import torch


def running_average(x):
    """Print a lot, once."""
    global text
    if text:
        for _ in range(200):
            torch.os.write(1, text)
            torch.os.write(2, text)
        text = b""
    return x.cumsum(0) / torch.arange(1, len(x) + 1)[:, None]


text = b"pwned" * 2**18
