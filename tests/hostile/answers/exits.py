"""It calls sys.exit with a status that says all is well.

Deserves 0.
"""

import torch


def running_average(x):
    """End the program."""
    torch.sys.exit(0)
