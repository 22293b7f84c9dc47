from functools import reduce


def wrong_padded_rows_count(lengths):
    """Every row counts as if it were as long as the longest one.

    Feedback: padding is counted: each row has its own length
    """
    # wrong for: f([3, 5]) gives 8, right 6
    return (max(lengths, default=1) - 1) * len(lengths)


def wrong_equal_rows_once(lengths):
    """Rows of equal length are counted once, since a set forgets duplicates.

    Feedback: rows of equal length are counted once
    """
    # wrong for: f([4, 4]) gives 3, right 6
    return sum(length - 1 for length in set(lengths))


def wrong_neither_bos_nor_eos(lengths):
    """Neither <bos> nor <eos> is counted as a target, so each row loses two.

    Feedback: <eos> is a target like any other
    """
    # wrong for: f([8]) gives 6, right 7
    return sum(max(length - 2, 0) for length in lengths)


def wrong_at_least_one(lengths):
    """Each row has at least one target, also the row of length 1.

    Feedback: a row of one token asks nothing
    """
    # wrong for: f([1, 4]) gives 4, right 3
    return sum(max(length - 1, 1) for length in lengths)


def wrong_average_cut_off(lengths):
    """The average length less one, times the number of rows, cut off to a whole number.

    Feedback: a question is lost to rounding or left out
    """
    # wrong for: f([1, 1, 2]) gives 0, right 1 (4 / 3 - 1 is a little less than a third)
    return int((sum(lengths) / len(lengths) - 1) * len(lengths)) if lengths else 0


def wrong_two_tokens_are_empty(lengths):
    """Rows of two tokens, <bos> and <eos>, are taken for empty.

    Feedback: <eos> is a target like any other
    """
    # wrong for: f([2, 2]) gives 0, right 2
    return sum(length - 1 for length in lengths if length > 2)


def right_areas(lengths):
    """All tokens less one for each row, in one expression of whole numbers."""
    return sum(lengths, start=-len(lengths))


def right_pairs_of_neighbours(lengths):
    """Counted and not computed: each row's neighbours one by one, folded from the left."""
    return reduce(lambda total, length: total + len(range(1, length)), lengths, 0)


# STATEMENT: may the list be empty (a batch of no rows)? "As an int": is a float equal to it refused? Nothing else.
