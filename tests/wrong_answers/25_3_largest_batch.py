"""Wrong answers to 25.3. A docstring holds the words that only this fault's feedback contains."""


def gradients_added(N, fixed, row, memory):
    """gradients and what was saved are added up"""
    return max(0, (memory - 16 * N - fixed) // row)


def gradients_forgotten(N, fixed, row, memory):
    """the gradients alone do not fit"""
    return max(0, (memory - 12 * N - fixed) // row)


def below_none(N, fixed, row, memory):
    """fewer rows than none"""
    return 0 if 16 * N > memory else (memory - 12 * N - fixed) // row


def rounded_up(N, fixed, row, memory):
    """the last row does not fit any more"""
    return 0 if 16 * N > memory else max(0, -(-(memory - 12 * N - fixed) // row))


def never_to_the_last_byte(N, fixed, row, memory):
    """to the last byte fits"""
    return 0 if 16 * N > memory else max(0, (memory - 12 * N - fixed - 1) // row)


def fixed_forgotten(N, fixed, row, memory):
    """the same for every batch is left out"""
    return 0 if 16 * N > memory else max(0, (memory - 12 * N) // row)


def no_moments(N, fixed, row, memory):
    """the two moments of the optimizer are left out"""
    return 0 if 16 * N > memory else max(0, (memory - 4 * N - fixed) // row)


def one_moment(N, fixed, row, memory):
    """one of the two moments is left out"""
    return 0 if 16 * N > memory else max(0, (memory - 8 * N - fixed) // row)


def by_floats(N, fixed, row, memory):
    """a division of floats"""
    return 0 if 16 * N > memory else max(0, int((memory - 12 * N - fixed) / row))
