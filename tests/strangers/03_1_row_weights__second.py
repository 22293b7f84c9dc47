import math
from fractions import Fraction


def wrong_largest_of_all(scores, t):
    """the largest score of the whole row is taken off, later ones too; a far larger later score
    makes all visible powers 0

    Feedback: the largest score is looked for among the hidden ones as well
    """
    # wrong for: row_weights([1.0, 2.0, 1000.0], 1) raises ZeroDivisionError, right [0.269, 0.731,
    # 0]
    top = max(scores)
    powers = [math.exp(score - top) if s <= t else 0.0 for s, score in enumerate(scores)]
    total = sum(powers)
    return [power / total for power in powers]


def wrong_log_of_the_sum(scores, t):
    """exp(score - log of the sum): beside a huge score the logarithm is rounded away, and the
    weights do not sum to 1

    Feedback: a number added to all scores changes the weights
    """
    # wrong for: row_weights([1e17, 1e17], 1) gives [1.0, 1.0], right [0.5, 0.5]
    seen = scores[: t + 1]
    top = max(seen)
    log_sum = top + math.log(sum(math.exp(score - top) for score in seen))
    return [math.exp(score - log_sum) for score in seen] + [0.0] * (len(scores) - t - 1)


def right_exact_shares(scores, t):
    """the powers are shared out as exact fractions"""
    (*seen,) = scores[: t + 1]
    top = max(seen)
    powers = [Fraction(math.exp(score - top)) for score in seen]
    total = sum(powers)
    weights = [float(power / total) for power in powers]
    weights.extend(0.0 for _ in scores[t + 1 :])
    return weights


# STATEMENT: finite floats of any size? 1e308 against -1e308 (the difference is infinite)?
