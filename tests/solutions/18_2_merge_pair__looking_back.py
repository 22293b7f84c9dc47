def merge_pair(row, pair, new):
    """Each id looks back at the one before it."""
    merged = []
    for token in row:
        if merged and [merged[-1], token] == list(pair):
            merged[-1] = new
        else:
            merged += [token]
    return tuple(merged)
