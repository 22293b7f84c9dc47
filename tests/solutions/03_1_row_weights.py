import math


def row_weights(scores, t):
    """Return the weights of position t, a list of floats, one for each score.

    scores: a list of floats. Position t sees itself and everything before it.
    """
    # For [1, 3, 2, 9] and t = 2: position 1 has the largest weight, position 3 has exactly 0, and
    # the first two weights stand as 1 to e^2, since their scores differ by 2.
    visible = scores[: t + 1]
    powers = [math.exp(score - max(visible)) for score in visible]
    weights = [power / sum(powers) for power in powers]
    return weights + [0.0] * (len(scores) - len(visible))
