import math


def gated_width(C, multiple, factor):
    """Count multiples until the width fits."""
    wanted = math.floor(math.floor(8 * C / 3) * factor)
    width = 0
    while width < wanted:
        width += multiple
    return width
