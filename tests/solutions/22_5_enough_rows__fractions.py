import math
from fractions import Fraction


def enough_rows(given):
    """In exact seconds, as fractions."""
    own = Fraction(2 * (given["weights"] + given["attention"]), given["speed"])
    cache = Fraction(given["cache"], given["bandwidth"])
    if own <= cache:
        return None
    shared = Fraction(given["read"], given["bandwidth"])
    return math.ceil(shared / (own - cache))
