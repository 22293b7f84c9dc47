import math


def crossing(overhead, price, width, hidden):
    """Return the smallest whole number of rows whose work takes longer than the overhead.

    overhead: seconds of one step. price: seconds of one multiply-add. One row takes
    4 * width**2 + 2 * width * hidden multiply-adds.
    """
    row = price * (4 * width**2 + 2 * width * hidden)  # seconds
    return math.floor(overhead / row) + 1  # a tie is not longer, so one more than fits


# Measured: the recorded grid has an overhead of about 0.7 milliseconds a step and a price of about
# 0.12 milliseconds a million multiply-adds (exercise 11.5). In our model, width 32 and hidden 128,
# a row is 12,288 multiply-adds, so crossing(0.7e-3, 0.12e-9, 32, 128) gives 475 rows. That fits the
# table: a cached step takes 0.70 ms at 8 x 9 (6.3 ms / 9), which is nearly all overhead, and
# 1.86 ms at 512 x 9 (16.8 ms / 9), a little more than two overheads. For a block of a model with
# width 576 and hidden 1,536 a row is 3.1 million multiply-adds, and the crossing comes at 2 rows.
