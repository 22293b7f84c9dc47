import torch


def wrong_window_of_one_is_none(past, new, window=None):
    """Asks `if back` for how many tokens a row looks back: with a window of 1 that is 0, and it is
    taken for no window at all.

    Feedback: the window is ignored
    """
    # wrong for: f(2, 1, 1) gives [[True, True, True]], right [[False, False, True]]
    query = past + torch.arange(new)[:, None]
    key = torch.arange(past + new)
    mask = key <= query
    back = window - 1 if window is not None else None
    if back:
        mask &= key >= query - back
    return mask


def wrong_window_only_behind_a_full_past(past, new, window=None):
    """Uses the window only when more than a window of tokens has been read before the piece, but a
    piece may outgrow it by itself, and a past as long as the window does.

    Feedback: the window is ignored
    """
    # wrong for: f(3, 1, 3) gives 4 x True, right [False, True, True, True]
    mask = torch.ones(new, past + new, dtype=torch.bool).tril(past)
    if window is not None and past > window:
        mask = mask.triu(past - window + 1)
    return mask
