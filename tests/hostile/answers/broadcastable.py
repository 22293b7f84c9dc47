"""It returns one row where T are asked for: it would broadcast in a careless comparison.

Deserves 0.
"""


def running_average(x):
    """Return the last row alone."""
    return x.mean(0, keepdim=True)
