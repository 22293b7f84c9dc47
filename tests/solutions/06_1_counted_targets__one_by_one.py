def counted_targets(lengths):
    """Walk through every row, and count the tokens that have one in front."""
    counted = 0
    for length in lengths:
        for t in range(length):
            if t > 0:
                counted += 1
    return counted
