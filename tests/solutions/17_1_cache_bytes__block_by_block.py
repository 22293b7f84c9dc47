def cache_bytes(windows, G, D, tokens, batch, size):
    """Add up block after block, keys and then values."""
    total = 0
    for window in windows:
        rows = tokens
        if window is not None and window < tokens:
            rows = window
        for _ in ("keys", "values"):
            total += batch * rows * G * D * size
    return total
