import math


def tokens_a_turn(pair, D, base):
    """Return after how many tokens pair `pair` (from 0) of head width D has turned once around."""
    speed = base ** (-2 * pair / D)  # radians a token
    return 2 * math.pi / speed
