import math


def spacing(x, digits):
    """Return the distance of two neighbours at x, as a float.

    x: float above 0. digits: bits for the digits, 1 or more.
    """
    _, exponent = math.frexp(x)  # x = m * 2**exponent, with m from 1/2 to below 1
    return 2.0 ** (exponent - 1 - digits)
