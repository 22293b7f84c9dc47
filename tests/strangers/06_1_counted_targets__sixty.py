def wrong_bos_and_eos_alone_ask_nothing(lengths):
    """A row of <bos> and <eos> alone is taken for an empty one, but its <eos> is a target.

    Feedback: <eos> is a target like any other
    """
    # wrong for: f([2]) gives 0, right 1
    return sum(length - 1 for length in lengths if length > 2)


def wrong_mean_length_cut_off(lengths):
    """Multiplies the mean length less one by the number of rows and cuts the fraction off:
    rounding may have left the product just under the whole number.

    Feedback: a question is lost to rounding or left out
    """
    # wrong for: f([1, 5, 2, 3, 1, 1]) gives 6, right 7; f([3, 10, 6, 10, 3, 1, 1]) gives 26, right 27
    B = len(lengths)
    if B == 0:
        return 0
    mean = sum(lengths) / B
    return int((mean - 1) * B)


# STATEMENT: whether `lengths` may be empty is not said.
