from fractions import Fraction
from math import gcd


def wrong_rounded_down(T, C):
    """A third is taken with //, which drops the remainder.

    Feedback: this is another ratio than that of the counts
    """
    # wrong for: f(3, 1) gives [33, 16], right [25, 12]; right where 3 divides (T+1)(2T+1), so for T = 1, 2, 4, 5
    plain = 6 * C * (T + 1) + (T + 1) * (2 * T + 1) // 3
    ratio = Fraction(plain, 12 * C + T + 1)
    return [ratio.numerator, ratio.denominator]


def wrong_fraction_from_a_float(T, C):
    """Divided in floats, and turned back into the nearest fraction with a denominator up to a
    million.

    Feedback: a large count is rounded: a float does not hold it
    """
    # wrong for: f(1048573, 4099) gives [436235502218, 631111], right [379396617541, 548881] (a float has too few digits)
    plain = 12 * C * C * T * (T + 1) // 2 + 2 * C * T * (T + 1) * (2 * T + 1) // 6
    cached = 12 * C * C * T + C * T * (T + 1)
    ratio = Fraction(plain / cached).limit_denominator()
    return [ratio.numerator, ratio.denominator]


def wrong_counts_in_floats(T, C):
    """The counts are divided with /, so large ones are rounded before they become a fraction.

    Feedback: a large count is rounded: a float does not hold it
    """
    # wrong for: f(1000001, 4096) gives [115207623399841536, 174859174859], right [345622524577, 524577]; right while all counts are below 2**53
    plain = 12 * C**2 * T * (T + 1) / 2 + 2 * C * T * (T + 1) * (2 * T + 1) / 6
    cached = 12 * C**2 * T + 2 * C * T * (T + 1) / 2
    ratio = Fraction(plain) / Fraction(cached)
    return [ratio.numerator, ratio.denominator]


def wrong_scores_only(T, C):
    """A pair is counted C multiply-adds, the score, and the average is left out.

    Feedback: a pair costs 2 C: once for the score, once for the average
    """
    # wrong for: f(7, 32) gives [389, 97], right [197, 49]
    plain = Fraction(12 * C * C * T * (T + 1), 2) + Fraction(C * T * (T + 1) * (2 * T + 1), 6)
    ratio = plain / (12 * C * C * T + Fraction(C * T * (T + 1), 2))
    return [ratio.numerator, ratio.denominator]


def wrong_hidden_half_free(T, C):
    """Without a cache only the pairs that the mask lets through are counted.

    Feedback: the saving is too small
    """
    # wrong for: f(2, 1) gives [22, 15], which is below 3/2, right [23, 15]
    plain = Fraction(12 * C * C * T * (T + 1), 2) + Fraction(2 * C * T * (T + 1) * (T + 2), 6)
    ratio = plain / (12 * C * C * T + C * T * (T + 1))
    return [ratio.numerator, ratio.denominator]


def wrong_small_primes_only(T, C):
    """Reduced by 2, 3, 5 and 7 only, so a common factor of 11 or more stays.

    Feedback: the fraction is not reduced by every common factor
    """
    # wrong for: f(10, 11) gives [803, 143], right [73, 13]
    above, below = (T + 1) * (18 * C + 2 * T + 1), 3 * (12 * C + T + 1)
    if above == below:
        return [1, 1]
    for prime in (2, 3, 5, 7):
        while above % prime == 0 and below % prime == 0:
            above, below = above // prime, below // prime
    return [above, below]


def right_counted_pass_by_pass(T, C):
    """Add up the passes one by one, with and without, and reduce by the greatest common divisor."""
    plain = cached = 0
    for t in range(1, T + 1):
        plain += 12 * C * C * t + 2 * C * t * t
        cached += 12 * C * C + 2 * C * t
    return [plain // gcd(plain, cached), cached // gcd(plain, cached)]


def right_closed_form(T, C):
    """The formula with T and C cancelled, given back by as_integer_ratio."""
    return list(Fraction((T + 1) * (18 * C + 2 * T + 1), 36 * C + 3 * T + 3).as_integer_ratio())


# STATEMENT: the number of blocks cancels, which is not said; that feed-forward is four times as wide, that the head is
# left out, and that hidden pairs count, stand in the lesson text only. (right_counted_pass_by_pass takes T steps: seconds
# from ten million on; the size of T is not said.)
