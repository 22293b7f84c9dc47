import math
from decimal import Decimal


def wrong_whole_questions(sentences, predicted):
    """Counts whole yes-or-no questions, so numbers that are no power of two come out too high.

    Feedback: the bits of a sentence are rounded up
    """
    # wrong for: f(3, 1) gives 2.0, right 1.584962500721156
    return (sentences - 1).bit_length() / predicted


def wrong_halves_while_it_can(sentences, predicted):
    """Halves with whole numbers until 1 is left, so what is over a power of two is lost.

    Feedback: it rounds down to a whole number
    """
    # wrong for: f(6, 2) gives 1.0, right 1.292481250360578
    bits = 0
    while sentences > 1:
        sentences //= 2
        bits += 1
    return bits / predicted


def wrong_whole_bits_a_token(sentences, predicted):
    """The division by the predicted tokens is a whole one.

    Feedback: it rounds down to a whole number
    """
    # wrong for: f(8, 2) gives 1.0, right 1.5
    return math.log2(sentences) // predicted


def right_through_the_probability(sentences, predicted):
    """Goes through 1 / sentences, which is 0 for a very large number of sentences."""
    # right: the statement asks for no more than a million sentences.
    return -math.log2(1 / sentences) / predicted


def wrong_rounded_to_three_places(sentences, predicted):
    """The result is rounded to three decimals.

    Feedback: the result is rounded to a few digits
    """
    # wrong for: f(2, 7) gives 0.143, right 0.14285714285714285
    return round(math.log2(sentences) / predicted, 3)


def wrong_ln_two_is_0693(sentences, predicted):
    """Nats are turned into bits with 0.693 for ln 2.

    Feedback: ln 2 has more digits than 0.693
    """
    # wrong for: f(8, 3) gives 1.000212381760383, right 1.0
    return math.log(sentences) / 0.693 / predicted


def right_decimal_logarithms(sentences, predicted):
    """Divide two decimal logarithms."""
    return float(Decimal(sentences).ln() / Decimal(2).ln() / predicted)


def right_mantissa_and_exponent(sentences, predicted):
    """The exponent is counted in bits; only the mantissa goes through a logarithm."""
    exponent = sentences.bit_length() - 1
    mantissa = sentences / (1 << exponent)
    return (exponent + math.log(mantissa, 2)) / predicted


# STATEMENT: "is 1" and "is 0": whether an int or a rounding error of 1e-16 is all right is open.
# How large the numbers may be is not said (2**2000 sentences are "whole numbers").
