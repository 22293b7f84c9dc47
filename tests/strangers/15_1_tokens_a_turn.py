import math

_speeds = {}


def wrong_growth_as_a_whole_number(pair, D, base):
    """The factor over pair 0 is cut to a whole number, as it happens to be for 10,000 and D = 8.

    Feedback: the growth over pair 0 is cut to a whole number
    """
    # wrong for: f(1, 64, 10000) gives 6.28318531, right 8.37876227
    return math.tau * int(base ** (2 * pair / D) + 1e-9)


def wrong_speed_rounded_first(pair, D, base):
    """The speed is rounded to eight decimals before it is divided by, which shows for slow
    pairs.

    Feedback: the speed is rounded before it is divided by
    """
    # wrong for: f(63, 128, 500000) gives 2554140.37, right 2559195.52
    speed = max(round(base ** (-2 * pair / D), 8), 1e-8)
    return 2 * math.pi / speed


def wrong_remembers_speeds_without_base(pair, D, base):
    """Speeds are kept for each pair and width between calls, and the base is forgotten.

    Feedback: the base of an earlier call is still used
    """
    # wrong for: f(1, 8, 10000); f(1, 8, 500000) gives 62.8318531, right 167.079193
    if (pair, D) not in _speeds:
        _speeds[pair, D] = base ** (-2 * pair / D)
    return 2 * math.pi / _speeds[pair, D]


def wrong_three_decimals(pair, D, base):
    """The answer is rounded to three decimals, as the statement prints it.

    Feedback: it is rounded: give all digits
    """
    # wrong for: f(0, 64, 10000) gives 6.283, right 6.28318531
    return round(2 * math.pi * base ** (2 * pair / D), 3)


def wrong_last_pair_reaches_the_base(pair, D, base):
    """The exponents run from 0 to 1 with both ends in, so that the last pair has the speed 1 /
    base.

    Feedback: the last pair does not reach the base
    """
    # wrong for: f(1, 8, 10000) gives 135.367124, right 62.8318531
    return 2 * math.pi * base ** (pair / max(D // 2 - 1, 1))


def wrong_pair_taken_for_a_lane(pair, D, base):
    """The number of the pair is taken for that of a lane, so two and two pairs share a speed.

    Feedback: the pair's number is taken for that of a lane
    """
    # wrong for: f(3, 8, 10000) gives 62.8318531, right 6283.18531
    return 2 * math.pi * base ** (2 * (pair // 2) / D)


def right_logarithms(pair, D, base):
    """Add the logarithms of a full turn and of the slowing, and go back once."""
    return math.exp(math.log(math.tau) + math.fsum([math.log(base)] * 2 * pair) / D)


def right_roots_multiplied(pair, D, base):
    """Start with pair 0's turn, measured as the angle of two half turns, and multiply pair by
    pair.
    """
    turn, step = 2 * math.atan2(0.0, -1.0), math.pow(base, 2 / D)
    for _ in range(pair):
        turn *= step
    return turn


# STATEMENT: neither the formula of the speeds nor how exact the float must be is said in the
# exercise (6.283
# has four digits). Whether a pair of D / 2 or more, an odd D or a base of 1 or under may come is
# open.
