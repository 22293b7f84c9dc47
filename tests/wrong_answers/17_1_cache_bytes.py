"""Wrong answers to 17.1. A docstring holds the words that only this fault's feedback contains."""


def _bytes(kept, G, D, batch, size):
    return 2 * kept * batch * G * D * size


def keys_only(windows, G, D, tokens, batch, size):
    """it counts keys or values"""
    kept = sum(tokens if w is None else min(tokens, w) for w in windows)
    return _bytes(kept, G, D, batch, size) // 2


def no_windows(windows, G, D, tokens, batch, size):
    """it takes no notice of the windows"""
    return _bytes(tokens * len(windows), G, D, batch, size)


def smallest_window(windows, G, D, tokens, batch, size):
    """it takes the smallest window for all"""
    smallest = min([tokens, *(w for w in windows if w is not None)])
    return _bytes(smallest * len(windows), G, D, batch, size)


def whole_windows(windows, G, D, tokens, batch, size):
    """a window is counted whole"""
    return _bytes(sum(tokens if w is None else w for w in windows), G, D, batch, size)


def one_block(windows, G, D, tokens, batch, size):
    """it counts one block only"""
    kept = [tokens if w is None else min(tokens, w) for w in windows]
    return _bytes(sum(kept[:1]), G, D, batch, size)


def one_text(windows, G, D, tokens, batch, size):
    """it counts one text, however many"""
    kept = sum(tokens if w is None else min(tokens, w) for w in windows)
    return _bytes(kept, G, D, 1, size)


def widest_window(windows, G, D, tokens, batch, size):
    """it takes the widest window for all"""
    widest = max((tokens if w is None else min(tokens, w) for w in windows), default=0)
    return _bytes(widest * len(windows), G, D, batch, size)


def leaves_itself_out(windows, G, D, tokens, batch, size):
    """a token sees itself too"""
    kept = sum(tokens if w is None or w > tokens else w - 1 for w in windows)
    return _bytes(kept, G, D, batch, size)
