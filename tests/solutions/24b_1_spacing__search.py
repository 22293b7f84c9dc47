def spacing(x, digits):
    """Look for the power of two below x by doubling and halving."""
    power = 1.0
    while power > x:
        power /= 2
    while power * 2 <= x:
        power *= 2
    return power / 2**digits
