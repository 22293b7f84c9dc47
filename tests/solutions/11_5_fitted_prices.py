def fitted_prices(points):
    """Return [milliseconds a step, milliseconds a million multiply-adds], two floats.

    points: a list of [steps, millions of multiply-adds, milliseconds], two or more. The sum of
    ((predicted - measured) / measured) ** 2 over all points is the smallest possible.
    """
    # divided by its milliseconds, a point asks for overhead * s + price * m = 1
    shares = [(steps / ms, millions / ms) for steps, millions, ms in points]
    ss = sum(s * s for s, m in shares)
    sm = sum(s * m for s, m in shares)
    mm = sum(m * m for s, m in shares)
    s1 = sum(s for s, m in shares)
    m1 = sum(m for s, m in shares)
    # moving either price changes nothing: overhead ss + price sm = s1, overhead sm + price mm = m1
    below = ss * mm - sm * sm
    return [(s1 * mm - m1 * sm) / below, (m1 * ss - s1 * sm) / below]


# For the sixteen points of the recorded grid: [0.696, 0.124]. These two numbers predict every time,
# from 6 ms to 5.6 s, to within 20 %, all but one. Misses in plain
# milliseconds would give [0.881, 0.114]: the two slowest points decide, and 1 x 9 is 30 % too high.
#
# The largest miss is 512 x 64 with a cache: predicted 104 ms, measured 174. Fitted apart, the eight
# points without a cache give [0.683, 0.117], the eight with one [0.666, 0.221]. A step costs the
# same, a multiply-add nearly twice as much: with a cache the products are smaller, and attention
# of one query reads all keys and values from memory to use each of them once.
