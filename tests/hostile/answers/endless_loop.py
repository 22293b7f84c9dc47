"""A loop without end.

Deserves 0.
"""


def running_average(x):
    """Never return."""
    while True:
        pass
