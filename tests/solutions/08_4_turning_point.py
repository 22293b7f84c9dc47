import math


def turning_point(a, m, b, n):
    """Return the length penalty at which two texts have equal scores.

    a, b: the log-probabilities of a short and a long text, b < a < 0. m, n: their lengths, m < n.
    """
    # a / m^alpha = b / n^alpha, so a / b = (m / n)^alpha. Only ratios count: twice both
    # log-probabilities, the same point.
    return math.log(a / b) / math.log(m / n)
