def median(times):
    """Take the fastest and the slowest away until one or two are left."""
    left = list(times)
    while len(left) > 2:
        left.remove(min(left))
        left.remove(max(left))
    return sum(left) / len(left)
