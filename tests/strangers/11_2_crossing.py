import math
from fractions import Fraction


def _row(width, hidden):
    return 4 * width**2 + 2 * width * hidden


def wrong_at_least_as_long(overhead, price, width, hidden):
    """Rounded up, so work that takes exactly as long counts as longer already.

    Feedback: at a tie it is wrong: the next row is the first that takes longer
    """
    # wrong for: f(64.0, 1.0, 2, 4) gives 2, right 3 (one row is 32 multiply-adds)
    return max(1, math.ceil(overhead / (price * _row(width, hidden))))


def wrong_hidden_is_four_widths(overhead, price, width, hidden):
    """A row is 12 C squared, as if hidden were always four times the width.

    Feedback: hidden is given; it need not be four times the width
    """
    # wrong for: f(100.0, 1.0, 2, 1) gives 3, right 6 (one row is 20 multiply-adds)
    return math.floor(overhead / (price * 12 * width**2)) + 1


def wrong_longer_by_a_margin(overhead, price, width, hidden):
    """A thousandth of a row is granted against rounding, so work that is longer by less does not
    count.

    Feedback: work that takes longer by a little does not count as longer
    """
    # wrong for: f(63.99, 1.0, 2, 4) gives 3, right 2 (two rows take 64)
    return math.floor(overhead / (price * _row(width, hidden)) + 1e-3) + 1


def wrong_search_gives_up(overhead, price, width, hidden):
    """Rows are tried one by one up to ten thousand.

    Feedback: a crossing at many rows is missed
    """
    # wrong for: f(1000000.0, 1.0, 2, 4) gives 10000, right 31251
    rows = 1
    while rows < 10_000 and not rows * _row(width, hidden) * price > overhead:
        rows += 1
    return rows


def wrong_doubled_until_longer(overhead, price, width, hidden):
    """Rows are doubled until the work is longer: a power of two, not the smallest number.

    Feedback: it is not the number of rows where the work overtakes the overhead
    """
    # wrong for: f(64.0, 1.0, 2, 4) gives 4, right 3
    rows = 1
    while rows * _row(width, hidden) * price <= overhead:
        rows *= 2
    return rows


def wrong_whole_microseconds(overhead, price, width, hidden):
    """The overhead is rounded to whole microseconds first.

    Feedback: a tiny overhead is rounded away
    """
    # wrong for: f(2.0**-22, 2.0**-30, 2, 4) gives 1, right 9 (an overhead of 0.24 microseconds)
    return math.floor(round(overhead, 6) / (price * _row(width, hidden))) + 1


def right_exact_fraction(overhead, price, width, hidden):
    """The floats as the exact fractions they are: whole part plus one."""
    return Fraction(overhead) // (Fraction(price) * _row(width, hidden)) + 1


def right_halving(overhead, price, width, hidden):
    """Double until it is longer, then halve the gap; only the question itself is asked."""
    work = width * (4 * width + 2 * hidden)

    def longer(rows):
        return Fraction(price) * (rows * work) > Fraction(overhead)

    low, high = 0, 1  # not longer, perhaps longer
    while not longer(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if longer(middle) else (middle, high)
    return high


# STATEMENT: "exactly as long": of the binary floats, or of the decimals that were written? overhead=3e-6, price=1e-7 and 10
# multiply-adds (width 1, hidden 3) make three rows exactly as long in decimals (answer 4), but B * work * price > overhead,
# overhead / (work * price) and exact binary fractions may each say something else. Only inputs that floats hold exactly
# (powers of two) are safe. That price is above 0 is not said. Whether the result may be a float (4.0) is "whole number".
