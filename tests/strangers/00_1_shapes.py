from itertools import accumulate


def _memory(kept=[]):
    return kept


def wrong_place_rows_for_one_prompt(batch, length):
    """After the place station the batch is taken to be 1, since the places are the same for all.

    Feedback: station 3, position
    """
    # wrong for: f(2, 3) gives [[2, 3], [2, 3, 32], [1, 3, 32], [2, 3, 32], [2, 32], [2, 12], [2]],
    # right [[2, 3], [2, 3, 32], [2, 3, 32], [2, 3, 32], [2, 32], [2, 12], [2]]
    row = [batch, length, 32]
    return [[batch, length], row, [1, length, 32], list(row), [batch, 32], [batch, 12], [batch]]


def wrong_choice_is_one_word(batch, length):
    """The last station gives one word, however many prompts there are.

    Feedback: station 7, choice: one word for each prompt
    """
    # wrong for: f(4, 3) gives [[4, 3], [4, 3, 32], [4, 3, 32], [4, 3, 32], [4, 32], [4, 12], [1]],
    # right [[4, 3], [4, 3, 32], [4, 3, 32], [4, 3, 32], [4, 32], [4, 12], [4]]
    return (
        [[batch, length]]
        + [[batch, length, 32] for _ in range(3)]
        + [[batch, 32], [batch, 12], [1]]
    )


def wrong_prompts_in_one_row(batch, length):
    """The prompts are laid one behind the other in a single row.

    Feedback: the prompts lie one behind the other in one row
    """
    # wrong for: f(2, 5) gives [[1, 10], [1, 10, 32], [1, 10, 32], [1, 10, 32], [1, 32], [1, 12],
    # [1]], right [[2, 5], [2, 5, 32], [2, 5, 32], [2, 5, 32], [2, 32], [2, 12], [2]]
    T = batch * length
    return [[1, T], [1, T, 32], [1, T, 32], [1, T, 32], [1, 32], [1, 12], [1]]


def wrong_one_token_has_no_axis(batch, length):
    """For prompts of one token the token axis is left out.

    Feedback: station 1, tokens: one id for each token of each prompt
    """
    # wrong for: f(3, 1) gives [[3], [3, 32], [3, 32], [3, 32], [3, 32], [3, 12], [3]], right [[3,
    # 1], [3, 1, 32], [3, 1, 32], [3, 1, 32], [3, 32], [3, 12], [3]]
    T = [length] if length > 1 else []
    return (
        [[batch] + T] + [[batch] + T + [32] for _ in range(3)] + [[batch, 32], [batch, 12], [batch]]
    )


def wrong_grows_with_each_call(batch, length):
    """The list is kept between calls, so the second call gives fourteen shapes.

    Feedback: it returned 14 items where 7 are asked for
    """
    # wrong for: f(1, 3); f(1, 3) gives [[1, 3], [1, 3, 32], [1, 3, 32], [1, 3, 32], [1, 3 ...  32],
    # [1, 3, 32], [1, 32], [1, 12], [1]], right [[1, 3], [1, 3, 32], [1, 3, 32], [1, 3, 32], [1,
    # 32], [1, 12], [1]]
    found = _memory()
    found += [[batch, length]] + [[batch, length, 32] for _ in range(3)]
    found += [[batch, 32], [batch, 12], [batch]]
    return found


def right_tuples_inside(batch, length):
    """The seven shapes are tuples, not lists."""
    # right: a tuple arrives as a list, and the statement says that it will do.
    B, T = batch, length
    return [(B, T), (B, T, 32), (B, T, 32), (B, T, 32), (B, 32), (B, 12), (B,)]


def right_letters_looked_up(batch, length):
    """Write the shapes as letters and look each letter up."""
    size = {"B": batch, "T": length, "C": 32, "V": 12}
    return [[size[letter] for letter in word] for word in "BT BTC BTC BTC BC BV B".split()]


def right_each_station_changes_the_last(batch, length):
    """Each station is a small function on the shape before it, run through accumulate."""
    steps = [
        lambda s: s + [32],
        lambda s: s[:],
        lambda s: s[:],
        lambda s: s[:1] + s[2:],
        lambda s: s[:1] + [12],
        lambda s: s[:1],
    ]
    return list(accumulate(steps, lambda shape, step: step(shape), initial=[batch, length]))


# STATEMENT: "for this model" has a place table of 9 rows: whether length above 9 is asked (or
# should be refused) is open; so are batch 0 and length 0. Nothing says whether 1.0 in a shape is
# all right.
