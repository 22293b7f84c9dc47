"""It takes as many tenths of a second as a digit of the hidden input says, then raises.

Deserves 0: it raises, and the time that it took may not be shown.
"""

import torch


def running_average(x):
    """Tell the input."""
    digit = int(abs(x.flatten()[-1].item()) * 1000) % 10
    torch.os.sys.modules["time"].sleep(digit / 10)
    raise ValueError("pwned")
