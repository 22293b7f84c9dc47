"""Wrong answers to 10.5. A docstring holds the words that only this fault's feedback contains."""

from fractions import Fraction


def _saving(T, C, row=12, pair=2, pairs=None, pairs_cached=None):
    pairs = T * (T + 1) * (2 * T + 1) // 6 if pairs is None else pairs
    pairs_cached = T * (T + 1) // 2 if pairs_cached is None else pairs_cached
    plain = row * C * (T * (T + 1) // 2) + pair * pairs
    ratio = Fraction(plain, row * C * T + pair * pairs_cached)
    return [ratio.numerator, ratio.denominator]


def on_its_head(T, C):
    """the fraction stands on its head"""
    return _saving(T, C)[::-1]


def no_feed_forward(T, C):
    """the feed-forward part is missing"""
    return _saving(T, C, row=4)


def scores_only(T, C):
    """once for the score, once for the average"""
    return _saving(T, C, pair=1)


def visible_pairs_only(T, C):
    """the hidden half of the scores"""
    return _saving(T, C, pairs=T * (T + 1) * (T + 2) // 6)


def all_keys_from_the_start(T, C):
    """query t has t keys, not T"""
    return _saving(T, C, pairs_cached=T * T)


def matrix_work_only(T, C):
    """matrix and attention work both count"""
    ratio = Fraction(T + 1, 2)
    return [ratio.numerator, ratio.denominator]


def plain_mean(T, C):
    """the two ratios are averaged"""
    ratio = (Fraction(T + 1, 2) + Fraction(2 * T + 1, 3)) / 2
    return [ratio.numerator, ratio.denominator]


def not_reduced(T, C):
    """not in lowest terms"""
    top, bottom = _saving(T, C)
    return [2 * top, 2 * bottom]


def one_number(T, C):
    """a float where a list is asked for"""
    top, bottom = _saving(T, C)
    return top / bottom
