"""Wrong answers to 15.1. A docstring holds the words that only this fault's feedback contains."""

import math


def one_radian(pair, D, base):
    """a full turn is 2 pi radians, not one"""
    return base ** (2 * pair / D)


def half_a_turn(pair, D, base):
    """2 pi, not pi"""
    return math.pi * base ** (2 * pair / D)


def degrees(pair, D, base):
    """not in degrees"""
    return 360 * base ** (2 * pair / D)


def from_one(pair, D, base):
    """pairs are counted from 0"""
    return 2 * math.pi * base ** (2 * (pair + 1) / D)


def half_the_exponent(pair, D, base):
    """the exponent is 2 i / D, not i / D"""
    return 2 * math.pi * base ** (pair / D)


def ever_faster(pair, D, base):
    """later pairs turn more slowly"""
    return 2 * math.pi * base ** (-2 * pair / D)


def rounded_as_printed(pair, D, base):
    """it is rounded: give all digits"""
    return round(2 * math.pi * base ** (2 * pair / D), 3)


def ends_included(pair, D, base):
    """the last pair does not reach the base"""
    return 2 * math.pi * base ** (pair / max(D // 2 - 1, 1))
