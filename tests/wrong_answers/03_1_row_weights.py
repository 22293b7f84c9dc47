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
