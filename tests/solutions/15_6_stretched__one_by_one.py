import math

import torch


def stretched(speeds, factor, length, low, high):
    """Pair by pair, by its wavelength, as the released code does it."""
    found = []
    for speed in speeds.tolist():
        wavelength = 2 * math.pi / speed
        if wavelength < length / high:
            found.append(speed)
        elif wavelength > length / low:
            found.append(speed / factor)
        else:
            smooth = (length / wavelength - low) / (high - low)
            found.append((1 - smooth) * speed / factor + smooth * speed)
    return torch.tensor(found)
