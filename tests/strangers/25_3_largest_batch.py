def wrong_sum_of_both(N, fixed, row, memory):
    """uses the usual sum, 16 N and what was saved, as the peak

    Feedback: gradients and what was saved are added up
    """
    # wrong for: f(10, 0, 10, 160) gives 0, right 4
    return max(0, (memory - 16 * N - fixed) // row)


def wrong_second_moment_forgotten(N, fixed, row, memory):
    """looks only at the start of the way back, 12 N and what was saved; never at 16 N

    Feedback: the gradients alone do not fit
    """
    # wrong for: f(10, 0, 10, 150) gives 3, right 0
    return max(0, (memory - 12 * N - fixed) // row)


def wrong_exact_peak_does_not_fit(N, fixed, row, memory):
    """a batch whose saved bytes fill the memory exactly is turned away

    Feedback: a batch that fills the memory to the last byte fits
    """
    # wrong for: f(10, 0, 10, 200) gives 7, right 8
    if 16 * N > memory:
        return 0
    return max(0, (memory - 12 * N - fixed - 1) // row)


def wrong_exact_weights_do_not_fit(N, fixed, row, memory):
    """where 16 N is the memory to the byte, nothing is said to fit

    Feedback: gradients and what was saved are added up
    """
    # wrong for: f(10, 0, 10, 160) gives 0, right 4
    if 16 * N >= memory:
        return 0
    return max(0, (memory - 12 * N - fixed) // row)


def wrong_below_nothing(N, fixed, row, memory):
    """16 N fits, but what is saved for every batch does not: a number below 0 comes out

    Feedback: a batch cannot have fewer rows than none
    """
    # wrong for: f(10, 500, 10, 200) gives -42, right 0
    if 16 * N > memory:
        return 0
    return (memory - 12 * N - fixed) // row


def wrong_float_division(N, fixed, row, memory):
    """divides as floats and cuts off: some rows too many or too few where the numbers are large

    Feedback: a division of floats loses the last digits
    """
    # wrong for: f(1, 0, 1, 12 + 2**53 + 1) gives 2**53, right 2**53 + 1
    if 16 * N > memory:
        return 0
    return max(0, int((memory - 12 * N - fixed) / row))


def right_doubling_and_halving(N, fixed, row, memory):
    """doubles a batch until it does not fit, then halves the gap, by the peak itself"""

    def fits(rows):
        return max(12 * N + fixed + rows * row, 16 * N) <= memory

    if not fits(1):
        return 0
    low, high = 1, 2
    while fits(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def right_one_expression(N, fixed, row, memory):
    """one expression: a truth value times what is left over"""
    return (memory >= 16 * N) * max(memory - 12 * N - fixed, 0).__floordiv__(row)


# STATEMENT: `fixed` may be 0 or (by the words) even negative; memory may be 0; neither is said.
# "the peak of this lesson" must be found in one sentence of running text (larger of 12 N + saved, 16 N).
