"""It replaces what writes tensors, so that every tensor becomes the same few bytes.

Deserves 0.
"""

import torch

safetensors = torch.sys.modules["safetensors.torch"]
plain = torch.sys.modules["helpers.exercises.plain"]
safetensors.save = plain.save = lambda *given, **more: b"\x08\0\0\0\0\0\0\0{}      "


def running_average(x):
    """Return something else."""
    return x
