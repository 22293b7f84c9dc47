import math


def right_less_than_the_share(slope, share):
    """The weight must fall below the share, not to it, unless the share is 1."""
    # wrong for: f(0.25, math.exp(-3)) gives 13, right 12
    if share == 1:
        return 0
    return math.floor(-math.log(share) / slope) + 1


def wrong_nearest_whole_token(slope, share):
    """The distance is rounded to the nearest whole token, not up.

    Feedback: there the factor is still above the share: round up
    """
    # wrong for: f(1.0, 0.3) gives 1, right 2
    return round(-math.log(share) / slope)


def wrong_a_thousand_tokens_at_most(slope, share):
    """The search ends after a thousand tokens and gives the last one.

    Feedback: it never looks further than a thousand tokens
    """
    # wrong for: f(0.001, 0.05) gives 1000, right 2996
    for distance in range(1000):
        if -slope * distance <= math.log(share):
            return distance
    return 1000


def wrong_nearly_enough(slope, share):
    """A hundredth of a token is forgiven, so a weight just above the share passes.

    Feedback: a weight that is a little above the share passes
    """
    # wrong for: f(1.0, math.exp(-3.005)) gives 3, right 4
    return max(0, math.ceil(-math.log(share) / slope - 0.01))


def wrong_float_by_floor_division(slope, share):
    """Rounded up by a floor division of floats, whose result is a float.

    Feedback: it returned a float where a whole number is asked for
    """
    # wrong for: f(0.25, 0.05) gives 12.0, right 12
    return -(math.log(share) / slope // 1)


def right_one_over_the_share(slope, share):
    """Takes 1 / share first, which overflows for a share near the smallest float."""
    # wrong for: f(1.0, 5e-324) gives 'OverflowError', right 745
    return math.ceil(math.log(1 / share) / slope)


def right_doubled_then_halved(slope, share):
    """Doubles a distance until it is enough, then halves the range; compares in logs."""
    wanted = -math.log(share)

    def enough(distance):
        return slope * distance >= wanted

    low, high = 0, 1
    if enough(0):
        return 0
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def right_floor_of_the_negative(slope, share):
    """Rounds up as minus the floor of the log over the slope, in whole numbers."""
    return -math.floor(math.log(share) / slope)


# STATEMENT: where a share is meant to be met exactly, e to the -slope d, floats decide: f(0.1, exp(-0.3)) is 3 on paper
# and by exp(-0.1 * 3) <= share, but 4 by the quotient of logs (3.0000000000000004). A check must keep off such edges
# or allow both. Huge or tiny values (slope 1e-300, share 5e-324) are allowed by "above 0".
