import math
from fractions import Fraction


def wrong_cut_to_a_whole_number_first(C, multiple):
    """8C/3 is cut to a whole number before it is rounded up, as Llama's own code does.

    Feedback: cut to a whole number before it is rounded up
    """
    # wrong for: f(1, 1) gives 2, right 3
    hidden = int(8 * C / 3)
    return multiple * ((hidden + multiple - 1) // multiple)


def wrong_nearest_multiple(C, multiple):
    """The nearest multiple is taken, which may lie under 8C/3.

    Feedback: it rounds to the nearest multiple
    """
    # wrong for: f(512, 256) gives 1280, right 1536
    return max(round(8 * C / 3 / multiple), 1) * multiple


def right_counted_in_floats(C, multiple):
    """The quotient is a float of 53 digits and rounded up as such. Right: C and multiple are a
    million at most.
    """
    # wrong for: f(3 * 10**17 + 3, 1) gives 800000000000000000, right 800000000000000008
    return math.ceil(8 * C / 3 / multiple) * multiple


def wrong_third_rounded_first(C, multiple):
    """A third of C is rounded up before it is multiplied by 8.

    Feedback: a third of C is rounded before it is multiplied by 8
    """
    # wrong for: f(4, 1) gives 16, right 11
    hidden = 8 * -(-C // 3)
    return -(-hidden // multiple) * multiple


def wrong_bits_for_powers_of_two(C, multiple):
    """The rounding clears the lower bits, which works for powers of two only.

    Feedback: lower bits are cleared
    """
    # wrong for: f(48, 3) gives 128, right 129
    return (-(-8 * C // 3) + multiple - 1) & ~(multiple - 1)


def wrong_never_wider_than_the_plain_part(C, multiple):
    """Only multiples up to 4C are tried, and 4C itself is given if none is found.

    Feedback: it never goes beyond 4C
    """
    # wrong for: f(2, 16) gives 8, right 16
    return next((h for h in range(multiple, 4 * C + 1, multiple) if 3 * h >= 8 * C), 4 * C)


def right_exact_fraction(C, multiple):
    """Round an exact fraction up."""
    return multiple * math.ceil(Fraction(8, 3) * C / multiple)


def right_one_more_if_something_is_left(C, multiple):
    """Divide with a rest, and add one multiple if there is a rest."""
    whole, rest = divmod(8 * C, 3 * multiple)
    return (whole + bool(rest)) * multiple


# STATEMENT: clear. Open only: C = 0 (0 is "the smallest multiple that is not under 0"), and how
# large C may be
# (8 * C beyond 2**53 makes float answers wrong).
