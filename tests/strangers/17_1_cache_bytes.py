from collections import Counter
from functools import reduce


def wrong_widest_window_for_all(windows, G, D, tokens, batch, size):
    """Every block keeps what the widest one needs.

    Feedback: it takes the widest window for all blocks
    """
    # wrong for: f([None, 4], 1, 1, 10, 1, 1) gives 40, right 28
    widest = tokens if None in windows else max(windows, default=0)
    return 2 * len(windows) * G * D * min(tokens, widest) * batch * size


def wrong_window_filled_always(windows, G, D, tokens, batch, size):
    """A block with a window keeps the whole window, also for a shorter text.

    Feedback: a window is counted whole
    """
    # wrong for: f([4096], 1, 1, 2000, 1, 2) gives 16384, right 8000
    return sum(
        2 * G * D * batch * size * (tokens if window is None else window) for window in windows
    )


def wrong_texts_share_a_window(windows, G, D, tokens, batch, size):
    """The window is held against the tokens of all texts together.

    Feedback: a window is held against the tokens of all texts together
    """
    # wrong for: f([4], 1, 1, 10, 3, 1) gives 8, right 24
    all_tokens = tokens * batch
    return sum(
        2 * G * D * size * (all_tokens if w is None else min(all_tokens, w)) for w in windows
    )


def right_counted_in_floats(windows, G, D, tokens, batch, size):
    """The bytes are counted as a float in GiB and brought back. Right: no cache here is larger
    than a petabyte.
    """
    # wrong for: f([None], 3, 43, 10**15 + 1, 7, 3) gives 5418000000000005120, right
    # 5418000000000005418
    gib = sum(min(tokens, float("inf") if w is None else w) / 2**30 for w in windows)
    return int(2.0 * gib * G * D * batch * size * 2**30)


def wrong_none_written_over(windows, G, D, tokens, batch, size):
    """Each None in the given list is written over with the length of this text, and the next
    call finds that.

    Feedback: it changed what it was given
    """
    # wrong for: w = [None]; f(w, 1, 1, 5, 1, 1); f(w, 1, 1, 10, 1, 1) gives 10, right 20
    for block, window in enumerate(windows):
        if window is None:
            windows[block] = tokens
    return 2 * G * D * batch * size * sum(min(tokens, window) for window in windows)


def wrong_token_itself_not_kept(windows, G, D, tokens, batch, size):
    """A block with a window keeps one token less, as if the new token's own key need not be
    stored.

    Feedback: a token sees itself too
    """
    # wrong for: f([4], 1, 1, 10, 1, 1) gives 6, right 8
    kept = sum(tokens if w is None or w > tokens else w - 1 for w in windows)
    return 2 * kept * G * D * batch * size


def right_kinds_counted(windows, G, D, tokens, batch, size):
    """Count how often each window occurs, and add up kind by kind."""
    rows = 0
    for window, count in Counter(windows).items():
        rows += count * (tokens if window is None else sorted((tokens, window))[0])
    return rows * G * D * 2 * size * batch


def right_folded(windows, G, D, tokens, batch, size):
    """Fold the list into one sum, block by block."""
    keys = G * D * batch * size
    return reduce(
        lambda total, w: total + 2 * keys * (tokens if w is None or w >= tokens else w), windows, 0
    )


# STATEMENT: whether the list may be empty (0 comes out), whether a window of 0 may come, tokens or
# batch of 0, and
# whether the given list must stay as it is, are not said. "The number of tokens that it sees"
# counts the token
# itself (the lesson says so); the exercise does not repeat it.
