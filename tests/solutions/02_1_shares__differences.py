import math


def shares(scores):
    """One over the sum of e to the power of (other - own); a power too large means a share of 0."""

    def power(difference):
        return math.exp(difference) if difference < 700 else math.inf

    return [
        0.0 if own == -math.inf else 1 / math.fsum(power(other - own) for other in scores)
        for own in scores
    ]
