from math import exp, log


def row_weights(scores, t):
    """Subtract the logarithm of the sum of powers, in one loop, and write into zeros."""
    top = scores[0]
    for s in range(1, t + 1):
        if scores[s] > top:
            top = scores[s]
    total = 0
    for s in reversed(range(t + 1)):
        total += exp(scores[s] - top)
    weights = [0] * len(scores)
    for s in range(t + 1):
        weights[s] = exp(scores[s] - top - log(total))
    return weights
