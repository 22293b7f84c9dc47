def median(times):
    """Return the median of a list of one or more numbers, in whatever order they come."""
    ordered = sorted(times)  # a copy: the caller's list stays as it is
    n = len(ordered)
    # the two in the middle; for an odd n they are the same one
    return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
