def parameter_count(V, T, C, blocks):
    """Return how many numbers training can change in the decoder of this lesson, as an int."""
    tables = V * C + T * C
    attention = 4 * (C * C + C)  # query, key, value, output
    feed_forward = C * 4 * C + 4 * C + 4 * C * C + C  # widen, narrow
    norms = 2 * (C + C)  # scale and shift, twice
    vocabulary = C * V + V
    return tables + blocks * (attention + feed_forward + norms) + vocabulary
