"""Wrong answers to 08.4. A docstring holds the words that only this fault's feedback contains."""

import math


def turned_sign(a, m, b, n):
    """its sign is turned"""
    return math.log(b / a) / math.log(m / n)


def upside_down(a, m, b, n):
    """α stands upside down"""
    return math.log(m / n) / math.log(a / b)


def no_logarithms(a, m, b, n):
    """the logarithms are missing"""
    return (a / b) / (m / n)


def takes_probabilities(a, m, b, n):
    """ln P is treated like P"""
    return math.log(math.exp(a) / math.exp(b)) / math.log(m / n)


def penalty_for_every_token(a, m, b, n):
    """a penalty of α for every token"""
    return (a - b) / (m - n)


def the_other_formula(a, m, b, n):
    """((5 + length) / 6)^α"""
    return math.log(a / b) / math.log((5 + m) / (5 + n))


def by_trying(a, m, b, n):
    """the scores are not equal at this α"""
    alpha = 0.0
    while a / m**alpha > b / n**alpha:
        alpha += 0.01
    return alpha


EQUAL = {}
