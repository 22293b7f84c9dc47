import math
from fractions import Fraction


def _solved(share):
    return 1 / (1 - math.log2((1 - share) / share))


def wrong_negative_temperatures(share):
    """Only 0 and 1 are refused, so shares under a third get a temperature below 0.

    Feedback: it gives a temperature for a share of 1/3 or less, where no temperature leads
    """
    # wrong for: f(0.2) gives -1.0, right None
    return None if share in (0, 1) else _solved(share)


def wrong_one_is_greedy(share):
    """Share 1 gets temperature 0, which is not a positive temperature.

    Feedback: it gives a temperature for the share 1, which only temperature 0 has
    """
    # wrong for: f(1) gives 0.0, right None
    if share <= 1 / 3:
        return None
    return 0.0 if share == 1 else _solved(share)


def wrong_a_third_is_reached(share):
    """The bound itself is taken for reachable: a third gets an infinite temperature.

    Feedback: it gives a temperature for a share of 1/3 or less, where no temperature leads
    """
    # wrong for: f(1 / 3) gives inf, right None
    if share < 1 / 3 or share >= 1:
        return None
    return math.inf if share == 1 / 3 else _solved(share)


def wrong_searched_up_to_a_hundred(share):
    """Halving between 0.01 and 100: a share so near a third that it needs more heat gets None.

    Feedback: it gives None for a share that a temperature reaches
    """

    # wrong for: f(0.3334) gives None, right 2310.6 or so
    def at(t):
        return 1 / (1 + 2 ** (1 - 1 / t))

    low, high = 0.01, 100.0
    if not at(high) <= share < 1:
        return None
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) > share else (low, middle)
    return low


def wrong_two_places(share):
    """The temperature is rounded to two places, as in the example.

    Feedback: it does not undo the table
    """
    # wrong for: f(0.9999999) gives 0.04, right 0.0412 or so, whose share differs: 0.9999999 against 0.99999994
    return None if share <= 1 / 3 or share >= 1 else round(_solved(share), 2)


def wrong_over_999_is_one(share):
    """A share from 0.999 on is taken for 1, which no temperature reaches.

    Feedback: it gives None for a share that a temperature reaches
    """
    # wrong for: f(0.9999) gives None, right 0.0700 or so
    return None if share <= 1 / 3 or share >= 0.999 else _solved(share)


def right_halving_the_cold(share):
    """Bisection over the inverse temperature, for which 0 is infinite heat; the share rises with it."""
    if not 3 * Fraction(share) > 1 or share >= 1:
        return None
    odds = float(
        (3 * Fraction(share) - 1) / (1 - Fraction(share))
    )  # 2 share / (1 - share) = 2 ** cold, less 1
    low, high = 0.0, 64.0
    while low < (middle := (low + high) / 2) < high:
        low, high = (middle, high) if odds > math.expm1(middle * math.log(2)) else (low, middle)
    return 1 / high


def right_one_expression(share):
    """Closed form in one expression; the log of 2 share / (1 - share) is taken from its distance to 1, exactly in fractions."""
    return (
        math.log(2) / math.log1p(float((3 * Fraction(share) - 1) / (1 - Fraction(share))))
        if 1 < 3 * Fraction(share) < 3
        else None
    )


# STATEMENT: the lower bound itself (a third) is not a float; 1 / 3 as a float lies below a third, so None; the next float
# has a temperature of about 1e16, where the answer depends on rounding (closed forms with log2 may divide by 0 there). No
# tolerance is stated; "to two places" belongs to the example 0.4142, but may be read as the tolerance of the answer.
