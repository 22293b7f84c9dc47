def predicted_speed_up(rows, tokens, model, overhead, price):
    """Return how many times as long a run takes without a cache as with one.

    rows: prompts of one token each. tokens: how many each row gets after its prompt.
    model: {"width", "blocks", "heads", "hidden", "vocab"}, whole numbers.
    overhead: seconds that every step costs. price: seconds of one multiply-add.
    """
    C = model["width"]
    row = model["blocks"] * (4 * C * C + 2 * C * model["hidden"])  # a row through all blocks
    pair = model["blocks"] * 2 * C  # score and average, all heads together
    logits = C * model["vocab"]  # for the last position only

    def seconds(cached):
        work = 0
        for keys in range(1, tokens + 1):  # how long the text is at each step
            queries = 1 if cached else keys
            work += queries * row + queries * keys * pair + logits
        return tokens * overhead + rows * work * price

    return seconds(False) / seconds(True)


# Measured answers. The prices are those of exercise 11.5: 0.696 ms a step, 0.124 ms a million
# multiply-adds, fitted to the recorded grid.
#
#               1 x 64   8 x 9   512 x 9   512 x 64   64 x 512   8 x 1024
# less work       33      4.9      4.9        33        301        631
# predicted        1.1    1.07     3.1        19         76         39
# measured         -      1.11     2.7        10          -         29 to 38
#
# The grid recorded 8 x 9, 512 x 9 and 512 x 64 on a quiet machine. 8 x 1024 and again 8 x 9 were
# measured once on the same machine, one thread, preallocated cache, by
#     compare(cache_sides(8, 1024), same=same_generation, repeats=3)
# Load before the timed runs: 0.00. 8 x 9: 7.4 and 6.9 ms, 1.08 times. 8 x 1024: 39.0 and 1.36 s as
# medians, 29 times. Other work came in while they ran (fastest and slowest are 12 and 17 % from
# the median), and a busy moment weighs more on a run of one second. The two first calls, before
# that, took 35.0 and 0.91 s: 38 times.
#
# Longer texts. From 512 to 1,024 tokens at 8 rows the recorded 12 becomes 29 or more. The counts
# say why: without a cache matrix work grows 4 times (to 51.6 thousand million multiply-adds) and
# attention 8 times (to 183.5, now by far the larger part), while the overhead only doubles. With a
# cache 0.10 and 0.27 are left: 512.5 = (T + 1) / 2 and 683 = (2T + 1) / 3 times less, together 631.
# It is 39 and not 631 in time, since 0.71 of the 0.76 s of a run with a cache are overhead (94 %),
# and the cache takes none of that away.
#
# Batch 8 instead of 512. The ratio of the counts stays, 4.9, but at 8 x 9 work is 8 % of the time
# without a cache (0.6 of 6.8 ms), at 512 x 9 it is 85 % (36 of 43 ms). Only that part can shrink.
#
# Where the prediction is too high (512 x 9, 512 x 64): with a cache a multiply-add costs more, see
# exercise 11.5.
