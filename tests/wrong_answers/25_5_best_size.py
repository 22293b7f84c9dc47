"""Wrong answers to 25.5. A docstring holds the words that only this fault's feedback contains."""

import math


def _best(A, B, a, b, budget):
    return (a * A / (b * B)) ** (1 / (a + b)) * budget ** (b / (a + b))


def tokens(A, B, a, b, flops):
    """this is D, the tokens"""
    return flops / 6 / _best(A, B, a, b, flops / 6)


def six_forgotten(A, B, a, b, flops):
    """where six are needed"""
    return _best(A, B, a, b, flops)


def forward_only(A, B, a, b, flops):
    """only the forward pass is paid for"""
    return _best(A, B, a, b, flops / 2)


def exponents_exchanged(A, B, a, b, flops):
    """the two exponents are exchanged"""
    return _best(A, B, b, a, flops / 6)


def factors_exchanged(A, B, a, b, flops):
    """A and B are exchanged"""
    return _best(B, A, a, b, flops / 6)


def slopes_forgotten(A, B, a, b, flops):
    """a and b are missing in front of A and B"""
    return (A / B) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b))


def power_alone(A, B, a, b, flops):
    """A and B play no part"""
    return (flops / 6) ** (b / (a + b))


def root(A, B, a, b, flops):
    """it takes the root of the budget"""
    return math.sqrt(flops / 6)


def twenty(A, B, a, b, flops):
    """it takes twenty tokens a parameter"""
    return math.sqrt(flops / 120)


def wrong_exponent(A, B, a, b, flops):
    """where b stands above"""
    return (a * A / (b * B)) ** (1 / (a + b)) * (flops / 6) ** (a / (a + b))


def ratio(A, B, a, b, flops):
    """this is D / N"""
    N = _best(A, B, a, b, flops / 6)
    return flops / 6 / N / N
