import math
from decimal import Decimal


def wrong_powers_without_shift(scores, t):
    """Nothing is subtracted before taking powers, so large scores overflow.

    Feedback: beyond any float
    """
    # wrong for: f([1000.0, 1001.0, 0.0], 1) gives OverflowError, right [0.2689414213699951,
    # 0.7310585786300049, 0.0]
    powers = [math.exp(score) for score in scores[: t + 1]]
    return [power / sum(powers) for power in powers] + [0.0] * (len(scores) - t - 1)


def wrong_largest_of_the_future_too(scores, t):
    """The largest of all scores is subtracted, also one that is not seen, and the rest become 0 /
    0.

    Feedback: among the hidden ones
    """
    # wrong for: f([1.0, 2.0, 2000.0], 1) gives ZeroDivisionError, right [0.2689414213699951,
    # 0.7310585786300049, 0.0]
    largest = max(scores)
    powers = [math.exp(s - largest) if i <= t else 0.0 for i, s in enumerate(scores)]
    return [power / sum(powers) for power in powers]


def wrong_future_is_minus_thousand(scores, t):
    """The future is hidden with -1000, which is a high score beside -2000.

    Feedback: a number added to all scores changes the weights
    """
    # wrong for: f([-2000.0, 5.0], 0) gives [0.0, 1.0], right [1.0, 0.0]
    hidden = [s if i <= t else -1000.0 for i, s in enumerate(scores)]
    powers = [math.exp(score - max(hidden)) for score in hidden]
    return [power / sum(powers) for power in powers]


def wrong_only_what_is_seen(scores, t):
    """The weights end at position t; the zeros behind it are missing.

    Feedback: it returned 3 items where 4 are asked for
    """
    # wrong for: f([1.0, 3.0, 2.0], 1) gives [0.11920292202211755, 0.8807970779778823], right
    # [0.11920292202211756,
    # 0.8807970779778824, 0.0]
    seen = scores[: t + 1]
    powers = [math.exp(score - max(seen)) for score in seen]
    return [power / sum(powers) for power in powers]


def wrong_position_nought_is_the_last(scores, t):
    """A t of 0 is taken for "not given", and the last position is used.

    Feedback: later positions count as if they were visible
    """
    # wrong for: f([1.0, 3.0, 2.0], 0) gives [0.09003057317038046, 0.6652409557748218,
    # 0.24472847105479764], right
    # [1.0, 0.0, 0.0]
    t = t or len(scores) - 1
    seen = scores[: t + 1]
    powers = [math.exp(score - max(seen)) for score in seen]
    return [power / sum(powers) for power in powers] + [0.0] * (len(scores) - t - 1)


def wrong_far_behind_is_nought(scores, t):
    """Scores more than ten below the largest get exactly 0, as if they were hidden.

    Feedback: a visible score far below the largest gets exactly 0
    """
    # wrong for: f([0.0, 11.0, 1.0], 1) gives [0.0, 1.0, 0.0], right [1.670142184809518e-05,
    # 0.9999832985781519, 0.0]
    seen = scores[: t + 1]
    powers = [math.exp(s - max(seen)) if s > max(seen) - 10 else 0.0 for s in seen]
    return [power / sum(powers) for power in powers] + [0.0] * (len(scores) - t - 1)


def right_decimal_powers(scores, t):
    """Take decimal powers of the visible scores, whose exponents do not overflow."""
    seen = [Decimal(score) - Decimal(max(scores[: t + 1])) for score in scores[: t + 1]]
    total = sum(score.exp() for score in seen)
    return [float(score.exp() / total) for score in seen] + [0.0 for _ in scores[t + 1 :]]


def right_one_pass_with_a_running_maximum(scores, t):
    """One pass that keeps the largest score and a sum that is rescaled when it rises."""
    top, total = -math.inf, 0.0
    for index, score in enumerate(scores):
        if index > t:
            break
        higher = max(top, score)
        total = total * math.exp(top - higher) + math.exp(score - higher)
        top = higher
    return [math.exp(s - top) / total if i <= t else 0.0 for i, s in enumerate(scores)]


# STATEMENT: infinite scores are "floats" and nothing excludes them (a visible row of minus
# infinity has
# no weights). A negative t or one beyond the end is open. "Do not change when a number is added"
# has no
# tolerance and no limit on the number (1e17 loses the differences in floats).
