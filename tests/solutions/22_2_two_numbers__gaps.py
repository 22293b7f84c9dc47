def two_numbers(asked, times):
    """From the gaps: the first is the wait, the mean of the others the time of a token."""
    wait, *gaps = (b - a for a, b in zip([asked, *times], times, strict=False))
    if not gaps:
        return [wait, None]
    return [wait, 1 / (sum(gaps) / len(gaps))]
