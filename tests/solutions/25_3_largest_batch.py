def largest_batch(N, fixed, row, memory):
    """Return how many rows the largest batch has that fits; 0 where none does.

    N: parameters, trained in float32 with AdamW. fixed, row: bytes kept for the backward
    pass, for every batch and for each of its rows. memory: bytes.
    """
    if 16 * N > memory:
        return 0
    return max(0, (memory - 12 * N - fixed) // row)
