"""Wrong answers to 22.2. A docstring holds the words that only this fault's feedback contains."""

import itertools


def _first(asked, times):
    return times[0] - asked


def clock_from_zero(asked, times):
    """take off when it was asked"""
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else None
    return [times[0], rate]


def all_tokens(asked, times):
    """the first token is counted, and the wait for it is not"""
    rate = len(times) / (times[-1] - times[0]) if len(times) > 1 else None
    return [_first(asked, times), rate]


def with_the_wait(asked, times):
    """the wait for the first token is in the rate"""
    rate = len(times) / (times[-1] - asked) if len(times) > 1 else None
    return [_first(asked, times), rate]


def wait_without_its_token(asked, times):
    """the wait for the first token is in the time, its token is not"""
    rate = (len(times) - 1) / (times[-1] - asked) if len(times) > 1 else None
    return [_first(asked, times), rate]


def mean_of_rates(asked, times):
    """the mean of single rates makes much of the short gaps"""
    rates = [1 / (b - a) for a, b in itertools.pairwise(times)]
    return [_first(asked, times), sum(rates) / len(rates) if rates else None]


def seconds_a_token(asked, times):
    """that is seconds a token"""
    rate = (times[-1] - times[0]) / (len(times) - 1) if len(times) > 1 else None
    return [_first(asked, times), rate]


def zero_for_one(asked, times):
    """behind a single token there is no rate"""
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0.0
    return [_first(asked, times), rate]
