from fractions import Fraction


def wrong_fraction_of_a_float(T, C):
    """Divides first and makes the fraction from the float, with denominators up to a million: not
    exact, and wrong as soon as the true denominator is larger.

    Feedback: a large count is rounded: a float does not hold it
    """
    # wrong for: f(77, 167132) gives [35548169, 911480], right [39110903, 1002831]
    without = 12 * C**2 * T * (T + 1) // 2 + 2 * C * T * (T + 1) * (2 * T + 1) // 6
    cached = 12 * C**2 * T + 2 * C * T * (T + 1) // 2
    ratio = Fraction(without / cached).limit_denominator()
    return [ratio.numerator, ratio.denominator]


def wrong_sum_of_squares_as_a_float(T, C):
    """Takes the sum of the squares with /, as a float: for long texts its last digits are lost,
    and the ratio is no longer exact.

    Feedback: a large count is rounded: a float does not hold it
    """
    # wrong for: f(302809, 32), f(1000003, 32): the numerator differs (T up to some 200,000 are right)
    rows, pairs = T * (T + 1) // 2, int(T * (T + 1) * (2 * T + 1) / 6)
    ratio = Fraction(6 * C * rows + pairs, 6 * C * T + rows)
    return [ratio.numerator, ratio.denominator]
