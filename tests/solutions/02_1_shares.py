import math


def shares(scores):
    """Return the softmax of a list of scores, as a list of floats.

    scores: floats, at least one of them finite. -math.inf gets the share 0.
    """
    # In the head: softmax of [0, ln 3] is [1/4, 3/4], since the ratio is e to the power of ln 3.
    # [100, 100 + ln 3] has the same difference, so the same shares.
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]  # none above e^0 = 1
    return [power / sum(powers) for power in powers]
