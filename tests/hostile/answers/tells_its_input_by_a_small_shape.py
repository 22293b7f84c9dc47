"""It returns a tensor whose shape and kind of numbers are digits of the hidden input.

Deserves 0: the form is wrong, and neither sizes nor kinds may be shown, small ones no less.
"""

import torch

kinds = [torch.float32, torch.float64, torch.int64, torch.bool, torch.complex64]


def running_average(x):
    """Tell the input."""
    digits = f"{abs(x.flatten()[-1].item()):.5f}".replace(".", "")
    return torch.zeros([int(digit) for digit in digits[:4]], dtype=kinds[int(digits[5]) % 5])
