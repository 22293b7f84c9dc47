def turning_point(a, m, b, n):
    """By halving: below the point the short text has the higher score, above it the long one."""
    low, high = 0.0, 1.0
    while a / m**high > b / n**high:
        high *= 2
    for _ in range(80):
        middle = (low + high) / 2
        if a / m**middle > b / n**middle:
            low = middle
        else:
            high = middle
    return high
