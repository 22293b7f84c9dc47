import statistics
from fractions import Fraction
from itertools import pairwise


def wrong_first_token_counted(asked, times):
    """all tokens are counted over the time behind the first, in place of those that came behind it

    Feedback: the first token is counted, and the wait for it is not
    """
    # wrong for: f(0.0, [1.0, 2.0, 3.0]) gives [1.0, 1.5], right [1.0, 1.0]
    if len(times) == 1:
        return [times[0] - asked, None]
    return [times[0] - asked, len(times) / (times[-1] - times[0])]


def wrong_mean_of_rates(asked, times):
    """the rate of each gap is averaged, not the tokens divided by the time

    Feedback: the mean of single rates makes much of the short gaps: divide the sums
    """
    # wrong for: f(0.0, [1.0, 2.0, 2.5]) gives [1.0, 1.5], right [1.0, 4/3] (right for even gaps)
    rates = [1 / (b - a) for a, b in pairwise(times)]
    return [times[0] - asked, statistics.mean(rates) if rates else None]


def wrong_median_gap(asked, times):
    """the rate is one over the median gap, so a pause between tokens is not seen

    Feedback: the tokens a second after the first are another number
    """
    # wrong for: f(0, [1, 2, 3, 10]) gives [1, 1.0], right [1, 1/3]
    if len(times) < 2:
        return [times[0] - asked, None]
    return [times[0] - asked, 1 / statistics.median(b - a for a, b in pairwise(times))]


def wrong_two_tokens_no_rate(asked, times):
    """a rate is thought to need two gaps, so two tokens have none

    Feedback: several tokens have a rate, and it gives None
    """
    # wrong for: f(0.0, [1.0, 1.5]) gives [1.0, None], right [1.0, 2.0]
    behind = times[1:]
    if len(behind) < 2:
        return [times[0] - asked, None]
    return [times[0] - asked, len(behind) / (behind[-1] - times[0])]


def wrong_clock_starts_at_zero(asked, times):
    """a clock at 0 is taken for 'not known' by `or`, and the first wait becomes 0

    Feedback: a clock that stands at 0 is taken for one that is not known
    """
    # wrong for: f(0.0, [1.0, 2.0]) gives [0.0, 1.0], right [1.0, 1.0] (right for any other start)
    start = asked or times[0]
    rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else None
    return [times[0] - start, rate]


def wrong_thousandths(asked, times):
    """moments are rounded to thousandths of a second before anything is computed

    Feedback: the tokens a second after the first are another number
    """
    # wrong for: f(0.0, [0.0004, 0.0014]) gives [0.0, 1000.0], right [0.0004, 1000.0]
    moments = [round(t, 3) for t in times]
    span = moments[-1] - moments[0]
    return [moments[0] - round(asked, 3), (len(times) - 1) / span if span else None]


def right_exact_fractions(asked, times):
    """moments as exact fractions, pattern matching for one token"""
    match [Fraction(t) for t in times]:
        case [only]:
            return [float(only - Fraction(asked)), None]
        case [first, *_, last]:
            rate = (len(times) - 1) / (last - first)
            return [float(first - Fraction(asked)), float(rate)]


def right_harmonic_mean(asked, times):
    """the rate is one over the mean gap"""
    wait = times[0] - asked
    gaps = [later - sooner for sooner, later in pairwise(times)]
    return [wait, 1 / statistics.fmean(gaps)] if gaps else [wait, None]


# STATEMENT: "rising": strictly? Two tokens at the same moment (times [1.0, 1.0]) would be a division by 0; what then is not defined.
# asked may be 0, negative, or equal to times[0]; nothing is said, and nothing forbids it.
