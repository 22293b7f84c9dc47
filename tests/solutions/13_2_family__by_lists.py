def family(mask):
    """Compare lists with one recipe after another."""
    rows = mask.tolist()
    T = len(rows)

    def recipe(length):
        return [[s <= t or s < length for s in range(T)] for t in range(T)]

    if rows == recipe(T):
        return "encoder"
    if rows == recipe(0):
        return "decoder"
    return "prefix" if any(rows == recipe(n) for n in range(2, T)) else "other"
