"""The cell itself never ends, so the function is never there.

Deserves 0.
"""

while True:
    pass


def running_average(x):
    """Never defined."""
    return x
