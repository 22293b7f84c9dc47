import math


def wrong_always_one_up(C, multiple, factor):
    """goes to the next multiple even where the width is one already

    Feedback: a width that is a multiple already gets one more on top
    """
    # wrong for: f(96, 256, 1.0) gives 512, right 256
    width = int(factor * (2 * 4 * C // 3))
    return (width // multiple + 1) * multiple


def wrong_nearest_multiple(C, multiple, factor):
    """goes to the nearest multiple, not up

    Feedback: a small remainder is dropped: the recipe rounds up
    """
    # wrong for: f(100, 256, 1.0) (width 266) gives 256, right 512
    width = int(factor * (8 * C // 3))
    return max(1, (width + multiple // 2) // multiple) * multiple


def wrong_one_rounding(C, multiple, factor):
    """two thirds are not rounded down before the factor

    Feedback: two thirds are rounded down before the factor comes
    """
    # wrong for: f(4, 1, 1.5) gives 16, right 15
    width = int(8 * C / 3 * factor)
    return multiple * math.ceil(width / multiple)


def wrong_stretched_width_not_cut(C, multiple, factor):
    """after the factor it goes up at once, without rounding down

    Feedback: after the factor it is rounded down, and then goes up to a multiple
    """
    # wrong for: f(4, 4, 1.25) (12.5) gives 16, right 12
    return multiple * math.ceil(8 * C // 3 * factor / multiple)


def wrong_third_first(C, multiple, factor):
    """takes a third of 4C, rounds down, and doubles

    Feedback: two thirds of 4 C are rounded down once, not a third of it
    """
    # wrong for: f(2, 1, 1.0) gives 4, right 5
    width = int(2 * (4 * C // 3) * factor)
    return -(-width // multiple) * multiple


def wrong_factor_after_the_multiple(C, multiple, factor):
    """goes up to the multiple first and stretches then

    Feedback: it rounds up first and stretches afterwards
    """
    # wrong for: f(4, 8, 1.25) gives 20, right 16
    width = -(-(8 * C // 3) // multiple) * multiple
    return int(width * factor)


def wrong_ceil_in_floats(C, multiple, factor):
    """two thirds as a rounded decimal number

    Feedback: it is not the width of the recipe
    """
    # wrong for: f(300000, 1, 1.0) gives 799999 or less, right 800000
    width = int(0.66666 * 4 * C)
    width = int(width * factor)
    return multiple * math.ceil(width / multiple)


def wrong_a_float_comes_out(C, multiple, factor):
    """the width stays a float

    Feedback: it returned a float where a whole number is asked for
    """
    # wrong for: f(4096, 256, 1.0) gives 11008.0, right 11008 (an int)
    width = (8 * C // 3 * factor) // 1
    return multiple * -(-width // multiple)


def right_climbs(C, multiple, factor):
    """walks up until the width is a multiple"""
    width = math.floor(factor * (8 * C // 3))
    while width % multiple:
        width += 1
    return width


def right_modulo(C, multiple, factor):
    """adds what is missing, found by a negative remainder"""
    width = int((2 * (4 * C) // 3) * factor)
    return width + -width % multiple


# STATEMENT: the factor is a float: 0.29 * 100 is 28.999999999999996 in floats, rounded down 28; is it 29 by the statement ("a factor" as written)? Keep such factors out or say "in floats".
# A width of 0 (tiny C or factor): 0 is a multiple already. C above 2**53 with factor 1.0: not exact in floats.
