from itertools import pairwise


def _memory(kept={}):
    return kept


def wrong_hidden_is_always_four_C(V, C, T, hidden):
    """The feed-forward width is taken as 4 C, and what was given is not read.

    Feedback: hidden is not read
    """
    # wrong for: f(12, 32, 9, 64) gives 13772, right 9612
    return V * C + T * C + 4 * (C * C + C) + 8 * C * C + 5 * C + 4 * C + C * V + V


def wrong_nine_places(V, C, T, hidden):
    """The table of places always has the 9 rows of the lesson.

    Feedback: or has a fixed number of rows
    """
    # wrong for: f(12, 32, 10, 128) gives 13772, right 13804
    looking = 4 * (C * C + C)
    return V * C + 9 * C + looking + 2 * C * hidden + hidden + C + 4 * C + C * V + V


def wrong_norms_of_this_model(V, C, T, hidden):
    """The two norms are put in as the 128 numbers that they have at width 32.

    Feedback: the two norms are counted as at C = 32
    """
    # wrong for: f(12, 16, 9, 128) gives 5996, right 5932
    looking = 4 * (C * C + C)
    return V * C + T * C + looking + 2 * C * hidden + hidden + C + 128 + C * V + V


def wrong_counted_in_floats(V, C, T, hidden):
    """Powers and halves are floats on the way, so counts beyond 2 to the 53 lose their last
    digits.

    Feedback: its last digits are wrong: count in whole numbers, without floats
    """
    # wrong for: f(10**17 + 1, 1, 1, 1) gives 300000000000000000, right 300000000000000020
    looking = 4 * (C**2.0 + C)
    return int(V * C + T * C + looking + 2 * C * hidden + hidden + C + 4 * C + C * V + V)


def wrong_a_float_comes_out(V, C, T, hidden):
    """The result is a float, though an int is asked for.

    Feedback: it returned a float where a whole number is asked for
    """
    # wrong for: f(12, 32, 9, 128) gives 13772.0, right 13772
    looking = 8 * (C * C + C) / 2
    return V * C + T * C + looking + 2 * C * hidden + hidden + C + 4 * C + C * V + V


def wrong_remembers_by_vocabulary(V, C, T, hidden):
    """An earlier result for the same vocabulary and width is given again.

    Feedback: an earlier result is given again
    """
    # wrong for: f(12, 32, 9, 128); f(12, 32, 9, 1) gives 13772, right 5517
    looking = 4 * (C * C + C)
    new = V * C + T * C + looking + 2 * C * hidden + hidden + C + 4 * C + C * V + V
    return _memory().setdefault((V, C), new)


def right_chain_of_layers(V, C, T, hidden):
    """Every matrix with a bias is a pair of neighbouring widths in a chain."""
    chain = [C, C, C, C, C, hidden, C, V]
    biased = sum(m * n + n for m, n in pairwise(chain))
    return biased + C * sum((V, T)) + sum([2 * C] * 2)


def right_collected_like_terms(V, C, T, hidden):
    """The sum multiplied out by hand, by Horner's rule in C."""
    return V + hidden + C * (2 * V + T + 4 + 2 * hidden + 1 + 4 + C * 4)


# STATEMENT: 0 for a size (hidden = 0) is neither allowed nor forbidden.
