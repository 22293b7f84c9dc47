def count(V, C, T, hidden):
    """Return how many numbers a model with one block has, as an int."""
    tables = V * C + T * C
    attention = 4 * (C * C + C)
    feed_forward = (C * hidden + hidden) + (hidden * C + C)
    norms = 2 * 2 * C
    last_step = C * V + V
    return tables + attention + feed_forward + norms + last_step
