"""It returns a list of a class of its own, of numbers that are equal to every other number.

Deserves 0.
"""


class Number(float):
    """A number that is near to all others."""

    __hash__ = float.__hash__

    def __eq__(self, other):
        return True

    def __sub__(self, other):
        return 0.0


class Rows(list):
    """A list as long as it should be."""

    def __len__(self):
        return 1


def running_average(x):
    """Return something else, in disguise."""
    return Rows([Number(1)])
