"""Wrong answers to 10.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def _distance(past, new):
    return past + torch.arange(new)[:, None] - torch.arange(past + new)


def _inside(mask, past, new, window):
    return mask if window is None else mask & (_distance(past, new) < window)


def top_left(past, new, window=None):
    """the triangle starts at the first key"""
    mask = torch.ones(new, past + new, dtype=torch.bool).tril()
    return mask if window is None else mask & mask.triu(1 - window)


def hidden_means_true(past, new, window=None):
    """True must mean: may attend"""
    return ~_inside(_distance(past, new) >= 0, past, new, window)


def without_itself(past, new, window=None):
    """a token does not see itself"""
    return _inside(_distance(past, new) > 0, past, new, window)


def turned(past, new, window=None):
    """the triangle is turned"""
    return _inside(_distance(past, new) <= 0, past, new, window)


def all_open(past, new, window=None):
    """everything is open"""
    if past == 0:
        return _inside(_distance(past, new) >= 0, past, new, window)
    return torch.ones(new, past + new, dtype=torch.bool)


def one_ahead(past, new, window=None):
    """sees one that comes after it"""
    return _inside(_distance(past, new) >= -1, past, new, window)


def window_ignored(past, new, window=None):
    """the window is ignored"""
    return _distance(past, new) >= 0


def window_plus_one(past, new, window=None):
    """one token more than the window"""
    return _inside(_distance(past, new) >= 0, past, new, window and window + 1)


def window_before_itself(past, new, window=None):
    """the window must count the token itself"""
    return _inside(_distance(past, new) >= 0, past, new, window and window - 1)


def window_open_to_the_future(past, new, window=None):
    """the window has no end"""
    distance = _distance(past, new)
    return distance >= 0 if window is None else distance < window


def window_on_new_tokens(past, new, window=None):
    """all of the past stays open"""
    triangle = torch.ones(new, new, dtype=torch.bool).tril()
    if window is not None:
        triangle = triangle.triu(1 - window)
    return torch.cat([torch.ones(new, past, dtype=torch.bool), triangle], dim=1)
