import math


def tokens_a_turn(pair, D, base):
    """Add logarithms, and take the power at the end."""
    return math.exp(math.log(math.tau) + 2 * pair / D * math.log(base))
