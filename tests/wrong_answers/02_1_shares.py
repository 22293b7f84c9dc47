"""Wrong answers to 02.1. A docstring holds the words that only this fault's feedback contains."""

import math


def _shares(powers):
    return [power / sum(powers) for power in powers]


def no_maximum_subtracted(scores):
    """subtract the largest first"""
    return _shares([math.exp(score) for score in scores])


def powers_of_two(scores):
    """powers of 2"""
    return _shares([2 ** (score - max(scores)) for score in scores])


def shares_of_scores(scores):
    """the powers are missing"""
    return [score / sum(scores) if sum(scores) else 1 / len(scores) for score in scores]


def turned_around(scores):
    """the order is turned"""
    least = min(score for score in scores if score > -math.inf)
    return _shares([0 if s == -math.inf else math.exp(least - s) for s in scores])


def never_divided(scores):
    """do not sum to 1"""
    return [math.exp(score - max(scores)) for score in scores]


def mean_subtracted(scores):
    """scores that lie far apart"""
    mean = sum(score for score in scores if score > -math.inf) / len(scores)
    return _shares([math.exp(min(score - mean, 700)) for score in scores])


def hidden_means_very_low(scores):
    """a hidden score still takes a share"""
    scores = [max(score, min(s for s in scores if s > -math.inf)) for score in scores]
    return _shares([math.exp(score - max(scores)) for score in scores])
