"""It returns a whole number of 100,000 digits.

Deserves 0.
"""


def running_average(x):
    """Return more digits than Python writes."""
    return 1 << 332_000
