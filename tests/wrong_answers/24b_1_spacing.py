"""Wrong answers to 24b.1. A docstring holds the words that only this fault's feedback contains."""

import math


def at_one(x, digits):
    """it is the distance at 1, whatever x"""
    return 2.0**-digits


def relative(x, digits):
    """it grows with x itself"""
    return x * 2.0**-digits


def first_digit_counted(x, digits):
    """is the first digit counted?"""
    return 2.0 ** (math.frexp(x)[1] - digits)


def half(x, digits):
    """it is half of the distance"""
    return 2.0 ** (math.frexp(x)[1] - 2 - digits)


def power_above(x, digits):
    """it is that of the power above x"""
    return 2.0 ** (math.ceil(math.log2(x)) - digits)


def nearest_power(x, digits):
    """it is that of the nearest power"""
    return 2.0 ** (round(math.log2(x)) - digits)


def cut_towards_zero(x, digits):
    """below 1 the exponent is cut off towards 0"""
    return 2.0 ** (int(math.log2(x)) - digits)


def logarithm(x, digits):
    """the logarithm was rounded up to it"""
    return 2.0 ** (math.floor(math.log2(x)) - digits)


def decimal(x, digits):
    """the digits are bits, not decimal ones"""
    return 10.0 ** (math.floor(math.log10(x)) - digits)
