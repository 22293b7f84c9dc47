"""Wrong answers to 03.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _head(x, Wq, Wk, Wv, hidden, scale):
    scores = (x @ Wq) @ (x @ Wk).T * scale
    return scores.masked_fill(hidden, float("-inf")).softmax(-1) @ (x @ Wv)


def _triangle(x, diagonal=1):
    return torch.ones(len(x), len(x), dtype=torch.bool).triu(diagonal)


def no_scale(x, Wq, Wk, Wv):
    """not divided by anything"""
    return _head(x, Wq, Wk, Wv, _triangle(x), 1)


def root_of_the_wrong_width(x, Wq, Wk, Wv):
    """root of the width of x"""
    return _head(x, Wq, Wk, Wv, _triangle(x), x.shape[1] ** -0.5)


def no_root(x, Wq, Wk, Wv):
    """not by its root"""
    return _head(x, Wq, Wk, Wv, _triangle(x), 1 / Wq.shape[1])


def one_too_many(x, Wq, Wk, Wv):
    """the future must be hidden"""
    return _head(x, Wq, Wk, Wv, _triangle(x, 2), Wq.shape[1] ** -0.5)


def hides_itself(x, Wq, Wk, Wv):
    """a row does not notice a token"""
    hidden = _triangle(x, 0)
    hidden[0, 0] = False
    return _head(x, Wq, Wk, Wv, hidden, Wq.shape[1] ** -0.5)
