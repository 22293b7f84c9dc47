"""Wrong answers to 19.1. A docstring holds the words that only this fault's feedback contains."""


def full_width(C, multiple, factor):
    """the third matrix is not paid for"""
    return -(-int(factor * 4 * C) // multiple) * multiple


def rounds_down(C, multiple, factor):
    """it rounds down to a multiple"""
    return int(factor * (8 * C // 3)) // multiple * multiple


def one_more_on_top(C, multiple, factor):
    """gets one more on top"""
    return (int(factor * (8 * C // 3)) // multiple + 1) * multiple


def to_the_nearest(C, multiple, factor):
    """a small remainder is dropped"""
    return round(int(factor * (8 * C // 3)) / multiple) * multiple


def no_factor(C, multiple, factor):
    """the factor is left out"""
    return -(-(8 * C // 3) // multiple) * multiple


def rounds_first(C, multiple, factor):
    """it rounds up first and stretches afterwards"""
    return int(factor * (-(-(8 * C // 3) // multiple) * multiple))


def no_multiple(C, multiple, factor):
    """it is not brought to a multiple"""
    return int(factor * (8 * C // 3))
