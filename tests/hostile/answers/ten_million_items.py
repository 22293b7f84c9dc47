"""It returns a list of ten million items.

Deserves 0.
"""


def running_average(x):
    """Return more than anyone wants to read."""
    return [[]] * 10**7
