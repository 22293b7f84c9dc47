import torch


def wrong_square(past, new, window=None):
    """The triangle begins at the first key, top left, although the queries stand at the last keys.

    Feedback: the triangle starts at the first key, and the queries are the last tokens
    """
    # wrong for: f(2, 2) gives [[1, 0, 0, 0], [1, 1, 0, 0]], right [[1, 1, 1, 0], [1, 1, 1, 1]]
    if new == 1 or past == 0:
        mask = torch.ones(new, past + new, dtype=torch.bool).tril(past)
    else:
        mask = torch.ones(new, past + new, dtype=torch.bool).tril()
    return mask if window is None else mask.triu(past - window + 1)


def wrong_single_row_all_true(past, new, window=None):
    """A piece of one token sees everything, also when there is a window.

    Feedback: the window is ignored
    """
    # wrong for: f(4, 1, window=2) gives five True, right [[0, 0, 0, 1, 1]]
    if new == 1:
        return torch.ones(1, past + 1, dtype=torch.bool)
    mask = torch.ones(new, past + new, dtype=torch.bool).tril(past)
    return mask if window is None else mask.triu(past - window + 1)


def wrong_window_and_itself(past, new, window=None):
    """A row sees the window before it and itself besides: one key too many.

    Feedback: a row sees one token more than the window
    """
    # wrong for: f(0, 3, window=1) gives two True in row 1, right one
    mask = torch.ones(new, past + new, dtype=torch.bool).tril(past)
    return mask if window is None else mask.triu(past - window)


def wrong_one_start_for_the_piece(past, new, window=None):
    """The window is counted from the first token of the piece, and all rows begin at that key.

    Feedback: a row does not see the last W tokens
    """
    # wrong for: f(2, 2, window=2) gives [[0, 1, 1, 0], [0, 1, 1, 1]], right [[0, 1, 1, 0], [0, 0, 1, 1]]
    mask = torch.ones(new, past + new, dtype=torch.bool).tril(past)
    if window is not None:
        mask[:, : max(0, past + 1 - window)] = False
    return mask


def wrong_slice_from_below_zero(past, new, window=None):
    """Each row is filled by a slice whose start goes below zero while the window is longer than
    the text.

    Feedback: a row does not see the last W tokens
    """
    # wrong for: f(0, 3, window=3) gives an all False row 0, right [1, 0, 0]
    mask = torch.zeros(new, past + new, dtype=torch.bool)
    for i in range(new):
        end = past + i + 1
        mask[i, (end - window if window else 0) : end] = True
    return mask


def wrong_window_of_the_past(past, new, window=None):
    """The window cuts only the past; inside the piece every earlier token is seen.

    Feedback: a row does not see the last W tokens
    """
    # wrong for: f(0, 3, window=2) gives [1, 1, 1] in row 2, right [0, 1, 1]
    mask = torch.ones(new, past + new, dtype=torch.bool).tril(past)
    if window is not None:
        old = torch.arange(new)[:, None] + past - torch.arange(past) >= window  # [new, past]
        mask[:, :past] &= ~old
    return mask


def right_distance(past, new, window=None):
    """How far back each key lies: from 0 up to the window, not included."""
    back = torch.arange(past, past + new).unsqueeze(1) - torch.arange(past + new)
    return (back >= 0) & (back < (past + new if window is None else window))


def right_rows_of_the_whole(past, new, window=None):
    """Write down the mask of the whole text as lists, and take its last rows."""
    T = past + new
    W = T if window is None else window
    whole = [[key <= row and row - W < key for key in range(T)] for row in range(T)]
    return torch.tensor(whole[past:], dtype=torch.bool).reshape(new, T)


# STATEMENT: a window of 0 is not spoken of (no row could see anything, but "the last row always sees the last key"), and
# neither is a piece of 0 tokens.
