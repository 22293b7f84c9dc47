import math


def wrong_top_starts_at_minus_1000(scores):
    """Looks for the largest score beginning from -1000: scores that all lie further down (-1000,
    and a constant of -1000 added) have no top and vanish.

    Feedback: scores that all lie far below 0 vanish: look for the largest among them alone
    """
    # wrong for: f([-2000.0, -2000.0]) divides 0 by 0 (ZeroDivisionError), right [0.5, 0.5]
    top = -1000.0
    for score in scores:
        if score > top:
            top = score
    powers = [math.exp(score - top) for score in scores]
    total = sum(powers)
    return [power / total for power in powers]


def wrong_last_gets_the_rest(scores):
    """Gives the last score whatever is missing to 1, so rounding dust goes to a score of minus
    infinity, which must get exactly 0.

    Feedback: the share of minus infinity is tiny, not exactly 0
    """
    # wrong for: f([0.5, 0.4, 0.8, 0.3, -inf]) ends in 1.1e-16, right 0.0
    top = max(scores)
    powers = [math.exp(score - top) for score in scores]
    total = sum(powers)
    first = [power / total for power in powers[:-1]]
    return first + [1.0 - sum(first)]
