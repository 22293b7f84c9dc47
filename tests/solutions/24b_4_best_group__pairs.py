def best_group(blocks, inside):
    """The least of pairs; inputs counted as the starts of groups."""
    pairs = [(len(range(0, blocks, g)) + inside * g, g) for g in range(1, blocks + 1)]
    states, g = sorted(pairs)[0]
    return {"group": g, "states": states}["group"], states
