"""It returns a list that contains itself.

Deserves 0.
"""


def running_average(x):
    """Return a list without a bottom."""
    bottomless = []
    bottomless.append(bottomless)
    return bottomless
