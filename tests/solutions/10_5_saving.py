from fractions import Fraction


def saving(T, C):
    """Return the work without a cache over the work with one, as [numerator, denominator]."""
    # in multiply-adds of one block: a row costs 12 C², a pair 2 C
    rows, pairs = T * (T + 1) // 2, T * (T + 1) * (2 * T + 1) // 6
    rows_cached, pairs_cached = T, T * (T + 1) // 2
    ratio = Fraction(12 * C * rows + 2 * pairs, 12 * C * rows_cached + 2 * pairs_cached)
    # Halfway where the two kinds of cached work are equal: 12 C T = T (T + 1), so T = 12 C - 1.
    # That is 383 for C = 32, one before cached attention overtakes, and 49,151 for C = 4096.
    return [ratio.numerator, ratio.denominator]
