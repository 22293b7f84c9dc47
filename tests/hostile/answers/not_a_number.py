"""It returns NaN everywhere: no comparison with NaN ever says that it is greater.

Deserves 0.
"""


def running_average(x):
    """Return the right shape and nothing in it."""
    return x * float("nan")
