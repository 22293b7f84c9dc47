"""Wrong answers to 16.1. A docstring holds the words that only this fault's feedback contains."""


def four_times(C, multiple):
    """that is the width of the plain part"""
    return 4 * C


def rounds_down(C, multiple):
    """it rounds down, so the gated part is smaller"""
    return 8 * C // (3 * multiple) * multiple


def not_rounded(C, multiple):
    """it is not rounded to a multiple"""
    return -(-8 * C // 3)


def nearest(C, multiple):
    """it rounds to the nearest multiple"""
    return (16 * C + 3 * multiple) // (6 * multiple) * multiple


def always_up(C, multiple):
    """it goes a step up where nothing needs rounding"""
    return (8 * C // (3 * multiple) + 1) * multiple


def thirds_of_C(C, multiple):
    """it takes two thirds of C"""
    return -(-2 * C // (3 * multiple)) * multiple


def cut_first(C, multiple):
    """cut to a whole number before it is rounded up"""
    return -(-(8 * C // 3) // multiple) * multiple


def never_beyond_the_plain_part(C, multiple):
    """it never goes beyond 4C"""
    return min(-(-8 * C // (3 * multiple)) * multiple, 4 * C)
