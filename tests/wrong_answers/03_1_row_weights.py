"""Wrong answers to 03.1. A docstring holds the words that only this fault's feedback contains."""

import math


def _shares(powers, length):
    return [power / sum(powers) for power in powers] + [0.0] * (length - len(powers))


def hidden_after_the_shares(scores, t):
    """do not add up to 1"""
    powers = [math.exp(s - max(scores)) for s in scores]
    return [power / sum(powers) * (i <= t) for i, power in enumerate(powers)]


def nearly_hidden(scores, t):
    """is small, but not exactly 0"""
    hidden = [s if i <= t else s - 10 for i, s in enumerate(scores)]
    return _shares([math.exp(s - max(hidden)) for s in hidden], len(scores))


def shares_of_scores(scores, t):
    """taken of the scores, not of powers"""
    return _shares(scores[: t + 1], len(scores))


def nothing_hidden(scores, t):
    """as if they were visible"""
    return _shares([math.exp(s - max(scores)) for s in scores], len(scores))


def only_the_past(scores, t):
    """position t may see itself"""
    visible = scores[: max(t, 1)]
    return _shares([math.exp(s - max(visible)) for s in visible], len(scores))


def nothing_subtracted(scores, t):
    """beyond any float"""
    return _shares([math.exp(s) for s in scores[: t + 1]], len(scores))


def largest_of_all(scores, t):
    """among the hidden ones"""
    return _shares([math.exp(s - max(scores)) for s in scores[: t + 1]], len(scores))


def powers_of_two(scores, t):
    """powers of 2, not of e"""
    return _shares([2 ** (s - max(scores[: t + 1])) for s in scores[: t + 1]], len(scores))


def visible_ones_only(scores, t):
    """items where"""
    return _shares([math.exp(s - max(scores[: t + 1])) for s in scores[: t + 1]], 0)


def noughts_hidden(scores, t):
    """is taken for a hidden one"""
    cut = [s if i <= t else 0 for i, s in enumerate(scores)]
    top = max(scores[: t + 1])
    return _shares([math.exp(s - top) if s != 0 else 0.0 for s in cut], len(scores))


def far_behind_hidden(scores, t):
    """gets exactly 0, as if hidden"""
    visible = scores[: t + 1]
    powers = [math.exp(s - max(visible)) for s in visible]
    return _shares([power if power > 1e-5 else 0.0 for power in powers], len(scores))


def rounded_to_the_eighth(scores, t):
    """a small weight is rounded"""
    top = max(scores[: t + 1])
    shares = _shares([math.exp(s - top) for s in scores[: t + 1]], len(scores))
    return [max(round(share, 8), 1e-200) if i <= t else 0.0 for i, share in enumerate(shares)]


def hidden_by_a_low_number(scores, t):
    """lose against what stands at the hidden places"""
    hidden = [s if i <= t else -1e20 for i, s in enumerate(scores)]
    return _shares([math.exp(s - max(hidden)) for s in hidden], len(scores))
