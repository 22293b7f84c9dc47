"""It takes 50 GB of memory, in pieces, and goes on where a piece is refused.

Deserves 0: what it returns is wrong.
"""

kept = []


def running_average(x):
    """Fill what there is."""
    size = 2**30
    while size > 2**20 and len(kept) < 50:
        try:
            kept.append(b"x" * size)
        except MemoryError:
            size //= 2
    return 0 * x
