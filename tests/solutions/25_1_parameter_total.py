def parameter_total(V, C, T, L, h, tied, bias):
    """Return how many numbers a decoder learns, as an int.

    V: words. C: width. T: positions. L: blocks. h: hidden width. tied: whether the head's
    matrix is the token table. bias: whether every matrix but the tables has one.
    """
    norm = 2 * C if bias else C
    block = 4 * C * C + 2 * C * h + 2 * norm
    if bias:
        block += 4 * C + h + C
    head = (0 if tied else V * C) + (V if bias else 0)
    return V * C + T * C + L * block + norm + head
