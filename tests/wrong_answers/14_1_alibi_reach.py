"""Wrong answers to 14.1. A docstring holds the words that only this fault's feedback contains."""

import math


def rounds_down(slope, share):
    """still above the share"""
    return math.floor(math.log(1 / share) / slope)


def one_too_far(slope, share):
    """one token earlier"""
    return math.ceil(math.log(1 / share) / slope) + (share < 1)


def powers_of_two(slope, share):
    """powers of e, not of 2"""
    return math.ceil(math.log2(1 / share) / slope)


def straight(slope, share):
    """not 1 - slope * distance"""
    return math.ceil((1 - share) / slope)


def times_the_slope(slope, share):
    """a steeper slope must look less far"""
    return math.ceil(math.log(1 / share) * slope)


def never_near(slope, share):
    """at distance 0 the factor is 1 already"""
    return max(1, math.ceil(math.log(1 / share) / slope))


def not_rounded(slope, share):
    """a float where a whole number"""
    return math.log(1 / share) / slope
