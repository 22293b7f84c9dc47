import math


def tokens_a_turn(pair, D, base):
    """Return after how many tokens pair `pair` (from 0) of head width D has turned once around."""
    # (the prediction: 50 ** (126 / 128), about 47 times)
    speed = base ** (-2 * pair / D)  # radians a token
    return 2 * math.pi / speed
