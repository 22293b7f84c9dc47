import math
from itertools import starmap
from operator import mul


def wrong_four_times_the_width(V, C, T, hidden):
    """the hidden width is taken to be 4 C, as in the model; hidden itself is never read

    Feedback: one more hidden number brings nothing: hidden is not read, or an earlier result is
    """
    # wrong for: count(12, 32, 9, 64) gives 13772, right less
    block = 4 * (C * C + C) + (C * 4 * C + 4 * C) + (4 * C * C + C) + 4 * C
    return V * C + T * C + block + C * V + V


def wrong_summed_as_floats(V, C, T, hidden):
    """the parts are added by fsum, which makes floats of them: off beyond 2 to the 53

    Feedback: with large sizes its last digits are wrong: count in whole numbers, without floats
    """
    # wrong for: count(3, 10**9 + 1, 5, 7) gives another last digit
    parts = [
        V * C,
        T * C,
        4 * (C * C + C),
        C * hidden + hidden,
        hidden * C + C,
        2 * 2 * C,
        C * V + V,
    ]
    return int(math.fsum(parts))


def right_list_of_rectangles(V, C, T, hidden):
    """every part is a rectangle, a bias a rectangle of height 1"""
    rectangles = [(V, C), (T, C)]
    for m, n in [(C, C)] * 4 + [(C, hidden), (hidden, C), (C, V)]:
        rectangles += [(m, n), (1, n)]
    rectangles += [(2, C)] * 2
    return sum(starmap(mul, rectangles))


# STATEMENT: "All four sizes are whole numbers of 1 or more": clear.
