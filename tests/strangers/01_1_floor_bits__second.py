import math
from fractions import Fraction


def wrong_whole_bits(sentences, predicted):
    """the whole bits are counted, which is right for powers of two only

    Feedback: it rounds down to a whole number
    """
    # wrong for: floor_bits(6, 1) gives 2.0, right 2.585
    return (sentences.bit_length() - 1) / predicted


def wrong_six_digits(sentences, predicted):
    """the result is rounded to six digits, as the lesson prints it; small floors become 0

    Feedback: a small floor is rounded away
    """
    # wrong for: floor_bits(2, 3000000) gives 0.0, right 3.33e-07
    return round(math.log2(sentences) / predicted, 6)


def right_as_a_fraction(sentences, predicted):
    """a fraction carries the logarithm, so that also a huge number of tokens divides it"""
    return float(Fraction(math.log2(sentences)) / predicted)


# STATEMENT: `predicted` has no upper bound: math.log2(s) / 10**400 raises OverflowError.
# Give it a bound as the first number has.
