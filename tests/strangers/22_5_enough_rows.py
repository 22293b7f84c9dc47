import math
from fractions import Fraction


def wrong_floats(given):
    """the number of rows is computed in floats and rounded up, so a tie may come out one row too
    large

    Feedback: one row too many: the row before is enough
    """
    # wrong for: f({"weights": 22, "attention": 5, "read": 72007, "cache": 1, "speed": 4, "bandwidth": 28}) gives 192, right 191
    work = 2 * (given["weights"] + given["attention"]) / given["speed"]
    own = given["cache"] / given["bandwidth"]
    if work <= own:
        return None
    return max(1, math.ceil(given["read"] / given["bandwidth"] / (work - own)))


def wrong_tie_not_enough(given):
    """a tie is thought not to be enough: one row more is asked for

    Feedback: one row too many: the row before is enough
    """
    # wrong for: f({"weights": 1, "attention": 0, "read": 20, "cache": 0, "speed": 1, "bandwidth": 1}) gives 11, right 10
    gain = 2 * (given["weights"] + given["attention"]) * given["bandwidth"]
    gain -= given["cache"] * given["speed"]
    return given["read"] * given["speed"] // gain + 1 if gain > 0 else None


def wrong_search_gives_up(given):
    """rows are tried one by one up to 4096; a larger number of rows is taken for 'never'

    Feedback: a large number of rows is taken for never
    """
    # wrong for: f({"weights": 1, "attention": 0, "read": 20000, "cache": 0, "speed": 1, "bandwidth": 1}) gives None, right 10000
    for rows in range(1, 4097):
        work = 2 * rows * (given["weights"] + given["attention"]) * given["bandwidth"]
        if work >= (given["read"] + rows * given["cache"]) * given["speed"]:
            return rows
    return None


def wrong_one_operation(given):
    """attention's multiply-adds are counted as one operation each; only the weights' are doubled

    Feedback: at that number of rows arithmetic is not for the first time as long as reading
    """
    # wrong for: f({"weights": 1, "attention": 1, "read": 12, "cache": 0, "speed": 1, "bandwidth": 1}) gives 4, right 3
    gain = (2 * given["weights"] + given["attention"]) * given["bandwidth"]
    gain -= given["cache"] * given["speed"]
    if gain <= 0:
        return None
    return -(-given["read"] * given["speed"] // gain)


def wrong_never_only_below_zero(given):
    """where a row's arithmetic takes exactly as long as its cache, the weights are forgotten and
    one row is said to be enough

    Feedback: each row's cache takes as long as its arithmetic or longer: None is right
    """
    # wrong for: f({"weights": 1, "attention": 0, "read": 10, "cache": 2, "speed": 1, "bandwidth": 1}) gives 1, right None
    gain = 2 * (given["weights"] + given["attention"]) * given["bandwidth"]
    gain -= given["cache"] * given["speed"]
    if gain < 0:
        return None
    return -(-given["read"] * given["speed"] // gain) if gain else 1


def wrong_nearest_row(given):
    """the exact crossing is rounded to the nearest number of rows, not up

    Feedback: one row too few: reading still takes longer there
    """
    # wrong for: f({"weights": 1, "attention": 0, "read": 21, "cache": 0, "speed": 10, "bandwidth": 10}) gives 10 (crossing 10.5), right 11
    gain = 2 * (given["weights"] + given["attention"]) * given["bandwidth"]
    gain -= given["cache"] * given["speed"]
    if gain <= 0:
        return None
    return max(1, round(Fraction(given["read"] * given["speed"], gain)))


def right_bisection(given):
    """doubles a number of rows until it is enough, then halves the gap; all in whole numbers"""

    def enough(rows):
        work = 2 * rows * (given["weights"] + given["attention"]) * given["bandwidth"]
        return work >= (given["read"] + rows * given["cache"]) * given["speed"]

    if (
        2 * (given["weights"] + given["attention"]) * given["bandwidth"]
        <= given["cache"] * given["speed"]
    ):
        return None
    high = 1
    while not enough(high):
        high *= 2
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def right_exact_fractions(given):
    """seconds as exact fractions, rounded up by math.ceil"""
    gained = Fraction(2 * (given["weights"] + given["attention"]), given["speed"])
    gained -= Fraction(given["cache"], given["bandwidth"])
    if gained <= 0:
        return None
    return max(math.ceil(Fraction(given["read"], given["bandwidth"]) / gained), 1)


# STATEMENT: "read" may be 0? Then 0 rows tie already ("at B - 1 it does not" cannot hold for B = 1), and with equal slopes every number is a tie.
# That rows begin at 1 is not said. "weights", "attention", "cache" may be 0, speed and bandwidth may not (not said).
