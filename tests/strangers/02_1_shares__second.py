import math
from functools import reduce


def wrong_last_gets_the_rest(scores):
    """the last share is what is left to 1, so a last score of minus infinity gets a rounding error
    in place of 0

    Feedback: the share of minus infinity is tiny, not exactly 0
    """
    # wrong for: shares([0.0, 1.0, 2.0, -inf]) ends with 1.1e-16, right 0.0
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    total = sum(powers)
    first = [power / total for power in powers[:-1]]
    return [*first, 1.0 - sum(first)]


def wrong_clipped(scores):
    """scores are cut off at 700 and -700 so that exp survives; differences beyond are lost

    Feedback: the shares change when every score grows by the same
    """
    # wrong for: shares([1000.0, 1001.0]) gives [0.5, 0.5], right [0.269, 0.731]
    powers = [
        0.0 if score == -math.inf else math.exp(min(max(score, -700.0), 700.0)) for score in scores
    ]
    total = sum(powers)
    return [power / total for power in powers]


def right_running(scores):
    """a running largest score with its sum, in one pass"""

    def add(state, score):
        top, total = state
        if score == -math.inf:
            return state
        if score <= top:
            return top, total + math.exp(score - top)
        return score, total * math.exp(top - score) + 1.0

    top, total = reduce(add, scores, (-math.inf, 0.0))
    return [math.exp(score - top) / total for score in scores]


# STATEMENT: how large may scores be? 1e308 and -1e308 are floats; "1000 and -1000" sounds
# like the limit, the docstring allows all.
