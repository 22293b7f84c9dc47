import math


def wrong_whole_quotient(a, m, b, n):
    """The lengths are divided as whole numbers: 7 // 2 is 3.

    Feedback: the scores are not equal at this α
    """
    # wrong for: f(-1.386, 2, -1.609, 7) gives 0.136, right 0.119; f(-1, 2, -2, 3) ZeroDivisionError, right 1.71
    return math.log(b / a) / math.log(n // m)


def wrong_first_order(a, m, b, n):
    """The logarithm of a ratio near 1 is replaced by its distance from 1.

    Feedback: the scores are not equal at this α
    """
    # wrong for: f(-1, 2, -3, 4) gives 2.885, right 1.585
    return (b / a - 1) / math.log(n / m)


def wrong_between_zero_and_one(a, m, b, n):
    """The penalty is sought between 0 and 1, and ends at 1 where it lies above.

    Feedback: the scores are not equal at this α
    """
    # wrong for: f(-1, 2, -3, 4) gives 1.0, right 1.585
    low, high = 0.0, 1.0
    for _ in range(100):
        middle = (low + high) / 2
        if a / m**middle > b / n**middle:
            low = middle
        else:
            high = middle
    return low if low < 0.999999 else 1.0


def wrong_through_probabilities(a, m, b, n):
    """The log-probabilities become probabilities first, which are 0 for long texts.

    Feedback: it raised ValueError
    """
    # wrong for: f(-800, 100, -900, 300): ValueError (log of 0), right 0.1072
    short, long = math.exp(a), math.exp(b)
    return math.log(math.log(long) / math.log(short)) / math.log(n / m)


def right_doubling_and_halving(a, m, b, n):
    """The upper end is doubled until the long text wins, with powers that overflow."""
    # wrong for: f(-0.001, 100, -50, 101): OverflowError, right 1087.4
    high = 1.0
    while a / m**high > b / n**high:
        high *= 2
    low = 0.0
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if a / m**middle > b / n**middle else (low, middle)
    return high


def wrong_three_places(a, m, b, n):
    """Rounded to three places, enough for the lesson's two texts.

    Feedback: the scores are not equal at this α
    """
    # wrong for: f(-1000, 2, -1000.1, 4) gives 0.0, right 0.000144
    return round(math.log(b / a) / math.log(n / m), 3)


def right_logarithm_to_a_base(a, m, b, n):
    """One logarithm, of one ratio to the base of the other, each taken from its distance to 1."""
    return math.log1p((b - a) / a) / math.log1p((n - m) / m)


def right_lines_that_cross(a, m, b, n):
    """In logarithms both scores are straight lines over the penalty; the point where they cross, by a class of lines."""

    class Line:
        def __init__(self, logarithm, length):
            self.height, self.slope = math.log2(-logarithm), -math.log2(length)

        def meets(self, other):
            return (other.height - self.height) / (self.slope - other.slope)

    return Line(a, m).meets(Line(b, n))


# STATEMENT: no tolerance is named; where a and b nearly agree, log(b / a) loses digits. Must the lengths be whole numbers of 1 or more
# (a length below 1 or 0)? The range of the answer (over 1) is not said, but follows.
