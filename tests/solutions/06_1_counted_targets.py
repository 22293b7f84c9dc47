def counted_targets(lengths):
    """Return how many targets count in a batch of rows with these lengths, as an int."""
    return sum(length - 1 for length in lengths)
