def training_operations(B, T, V, C, L, h):
    """Return the floating-point operations of a training step, as an int.

    B, T: rows and their length. V: words. C: width. L: blocks. h: hidden width.
    """
    matrices = L * (4 * C * C + 2 * C * h) + C * V
    pairs = L * 2 * T * C
    return 6 * B * T * (matrices + pairs)
