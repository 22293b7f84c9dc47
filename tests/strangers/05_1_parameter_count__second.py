import math


def wrong_everything_times_blocks(V, T, C, blocks):
    """tables and head are counted once a block; right for one block

    Feedback: the tables and the projection stand around the blocks: they are counted once
    """
    # wrong for: (12, 9, 32, 2) and for 0 blocks, which gives 0
    return (V * C + T * C + 12 * C * C + 13 * C + C * V + V) * blocks


def wrong_by_floats(V, T, C, blocks):
    """a block is 12 + 13 / C squares of the width, a float, rounded at the end: not exact for
    large models

    Feedback: a huge count is off: floating-point numbers lose digits
    """
    # wrong for: (12, 9, 10**9 + 1, 3)
    squares = (12 + 13 / C) * blocks
    return round(squares * C**2) + (2 * V + T) * C + V


def right_all_shapes(V, T, C, blocks):
    """every tensor's shape is written down"""
    block = [(C, C), (C,)] * 4 + [(4 * C, C), (4 * C,), (C, 4 * C), (C,)] + [(C,)] * 4
    rest = [(V, C), (T, C), (V, C), (V,)]
    return blocks * sum(map(math.prod, block)) + sum(map(math.prod, rest))


# STATEMENT: clear. (Are V, T, C at least 1? Not said here.)
