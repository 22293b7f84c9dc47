"""A loop without end that ignores every signal that can be ignored.

Deserves 0.
"""

import torch

signal = torch.sys.modules["signal"]


def running_average(x):
    """Never return, not even when asked to."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass
