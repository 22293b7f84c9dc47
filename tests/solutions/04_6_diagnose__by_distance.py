def diagnose(influence):
    """Look at each diagonal by itself: is it full, empty, or mixed?"""
    T = len(influence)
    full = {}
    for offset in range(-T + 1, T):
        diagonal = influence.diagonal(offset).tolist()
        if any(diagonal) != all(diagonal):
            return "other"
        full[offset] = diagonal[0]
    seen = {offset for offset, yes in full.items() if yes}
    if seen == set(range(-T + 1, 1)):
        return "causal"
    if seen == set(range(T)):
        return "transposed"
    if seen == set(range(-T + 1, 2)):
        return "one too many"
    return "no mask" if len(seen) == 2 * T - 1 else "other"
