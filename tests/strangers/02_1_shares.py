import math
from decimal import Decimal


def wrong_clamped_at_seven_hundred(scores):
    """Scores are cut off at 700 so that exp survives; those above it become equal.

    Feedback: the shares change when every score grows by the same
    """
    # wrong for: f([1000.0, 999.0]) gives [0.5, 0.5], right [0.7310585786300049, 0.2689414213699951]
    powers = [math.exp(min(score, 700.0)) for score in scores]
    return [power / sum(powers) for power in powers]


def wrong_first_score_is_subtracted(scores):
    """The first score is subtracted, not the largest; it may be minus infinity or far below.

    Feedback: subtract the largest first
    """
    # wrong for: f([-math.inf, 0.0]) gives [nan, nan], right [0.0, 1.0]
    powers = [math.exp(score - scores[0]) for score in scores]
    return [power / sum(powers) for power in powers]


def wrong_largest_is_at_least_nought(scores):
    """The search for the largest score starts at 0, so very negative rows become 0 / 0.

    Feedback: subtract the largest first
    """
    # wrong for: f([-1000.0, -1000.0]) gives ZeroDivisionError, right [0.5, 0.5]
    largest = 0.0
    for score in scores:
        largest = max(largest, score)
    powers = [math.exp(score - largest) for score in scores]
    return [power / sum(powers) for power in powers]


def wrong_hidden_is_minus_thousand(scores):
    """Minus infinity is replaced by -1000, which is not low enough beside a score of -1000.

    Feedback: a hidden score still takes a share
    """
    # wrong for: f([-1000.0, -math.inf]) gives [0.5, 0.5], right [1.0, 0.0]
    scores = [max(score, -1000.0) for score in scores]
    largest = max(scores)
    powers = [math.exp(score - largest) for score in scores]
    return [power / sum(powers) for power in powers]


def wrong_a_little_for_everyone(scores):
    """A billionth is added to every power against division by 0, so a hidden share is not exactly
    0.

    Feedback: the share of minus infinity is tiny, not exactly 0
    """
    # wrong for: f([0.0, -math.inf]) gives [0.9999999989999999, 9.99999998e-10], right [1.0, 0.0]
    largest = max(scores)
    powers = [math.exp(score - largest) + 1e-9 for score in scores]
    return [power / sum(powers) for power in powers]


def wrong_e_is_2718(scores):
    """The number e is written as 2.718.

    Feedback: e has more digits than 2.718
    """
    # wrong for: f([0.0, 20.0, 21.0]) gives [5.555223884427112e-10, 0.26896180727393154,
    # 0.731038192170546], right [5.543295845732588e-10, 0.26894142122091297, 0.7310585782247574]
    largest = max(scores)
    powers = [2.718 ** (score - largest) for score in scores]
    return [power / sum(powers) for power in powers]


def right_each_against_all(scores):
    """A share is 1 over the sum of e to the differences; too large a sum is a share of 0."""

    def share(mine):
        if mine == -math.inf:
            return 0.0
        try:
            return 1 / math.fsum(math.exp(other - mine) for other in scores)
        except OverflowError:
            return 0.0

    return [share(score) for score in scores]


def right_decimal_powers(scores):
    """Take the powers as decimals, whose exponents have room enough."""
    exact = [Decimal(score) for score in scores]
    top = max(exact)
    powers = [(score - top).exp() for score in exact]
    return [float(power / sum(powers)) for power in powers]


# STATEMENT: plus infinity is not excluded ("floats, at least one of them finite"), and NaN neither;
# both have no sensible share. "Sum to 1" and "stay the same" have no tolerance (adding 1e17 to 0
# and ln 3 loses the difference in floats whatever one does).
