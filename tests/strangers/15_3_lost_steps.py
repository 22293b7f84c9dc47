import math
from fractions import Fraction


def wrong_cut_off(position, bits):
    """The digits beyond are cut off, so a place always goes down.

    Feedback: it is cut off
    """
    # wrong for: f(519, 8) gives 3, right 1
    step = 2 ** max(position.bit_length() - bits, 0)
    return position % step


def wrong_step_grows_evenly(position, bits):
    """The gap between numbers is taken as the place over 2**bits, rounded up; it doubles in
    truth.

    Feedback: the gap grows evenly
    """
    # wrong for: f(513, 8) gives 0, right 1
    step = max(-(-position // 2**bits), 1)
    rest = position % step
    return min(rest, step - rest)


def right_divided_as_floats(position, bits):
    """Place over gap is a float of 53 digits, so a place just over a tie counts as the tie.
    Right: no place here is beyond 100 million.
    """
    # wrong for: f(257 * 2**52 + 1, 8) gives 4503599627370497, right 4503599627370495
    step = 2 ** max(position.bit_length() - bits, 0)
    return abs(round(position / step) * step - position)


def wrong_sixteen_bits_end_at_65504(position, bits):
    """With 11 digits everything over 65,504 goes to the largest float16, though the statement
    counts digits only.

    Feedback: no place is too large
    """
    # wrong for: f(70000, 11) gives 4496, right 16
    if bits == 11 and position > 65504:
        return position - 65504
    step = 2 ** max(position.bit_length() - bits, 0)
    rest = position % step
    return min(rest, step - rest)


def wrong_comes_out_as_a_float(position, bits):
    """The distance is right for ordinary places and comes out as a float.

    Feedback: it returned a float where a whole number is asked for
    """
    # wrong for: f(257, 8) gives 1.0 (a float), right 1
    part, power = math.frexp(position)
    return (
        abs(math.ldexp(round(math.ldexp(part, bits)), power - bits) - position)
        if power > bits
        else 0.0
    )


def wrong_with_a_sign(position, bits):
    """A place that goes down is reported as a negative distance.

    Feedback: it returned a distance below 0
    """
    # wrong for: f(257, 8) gives -1, right 1
    step = 2 ** max(position.bit_length() - bits, 0)
    return round(Fraction(position, step)) * step - position


def right_fraction_rounded(position, bits):
    """Round an exact fraction of the gap; Python rounds ties to even."""
    step = 1 << max(position.bit_length() - bits, 0)
    return abs(position - step * round(Fraction(position, step)))


def right_binary_text(position, bits):
    """Read the digits behind the kept ones from the binary text, and go to the nearer side."""
    tail = f"{position:b}"[bits:]
    return min(int(tail, 2), int("1" + "0" * len(tail), 2) - int(tail, 2)) if tail else 0


# STATEMENT: the tie rule cannot be seen in the answer (both neighbours are as far), so only the
# distance counts.
# Not said: whether a place beyond 2**53 or beyond the type's largest number (65,504) may come
# (digits count here),
# other bits than 8, 11 and 24 (bits = 1?), negative places, and whether a bool or float may be a
# position.
