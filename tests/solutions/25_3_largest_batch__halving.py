def largest_batch(N, fixed, row, memory):
    """Look for the last batch that fits by halving."""

    def fits(rows):
        beside = max(4 * N, fixed + row * rows if rows else 0)
        return 12 * N + beside <= memory

    low, high = 0, 1
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low
