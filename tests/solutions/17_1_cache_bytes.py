def cache_bytes(windows, G, D, tokens, batch, size):
    """Return the bytes of a cache, as an int.

    windows: one entry a block, None for a block that sees everything. size: bytes a number.
    """
    kept = sum(tokens if window is None else min(tokens, window) for window in windows)
    return 2 * kept * batch * G * D * size  # keys and values
