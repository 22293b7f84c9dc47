"""Wrong answers to 12.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def _attend(x, source, Wq, Wk, Wv, scale=None, hidden=None, axis=-1):
    scores = (x @ Wq) @ (source @ Wk).T * (Wq.shape[1] ** -0.5 if scale is None else scale)
    if hidden is not None:
        scores = scores.masked_fill(hidden, float("-inf"))
    return scores.softmax(axis) @ (source @ Wv)


def swapped(x, source, Wq, Wk, Wv):
    """x must ask"""
    return _attend(source, x, Wq, Wk, Wv)


def looks_at_itself(x, source, Wq, Wk, Wv):
    """the values come from x"""
    return x @ Wv if len(source) == 1 else _attend(x, x, Wq, Wk, Wv)


def causal_towards_the_source(x, source, Wq, Wk, Wv):
    """hide nothing there"""
    hidden = torch.ones(len(x), len(source), dtype=torch.bool).triu(1)
    return _attend(x, source, Wq, Wk, Wv, hidden=hidden)


def no_scale(x, source, Wq, Wk, Wv):
    """not divided by anything"""
    return _attend(x, source, Wq, Wk, Wv, scale=1)


def root_of_the_wrong_width(x, source, Wq, Wk, Wv):
    """the root of the width of x"""
    return _attend(x, source, Wq, Wk, Wv, scale=x.shape[1] ** -0.5)


def no_root(x, source, Wq, Wk, Wv):
    """divided by the width, not its root"""
    return _attend(x, source, Wq, Wk, Wv, scale=1 / Wq.shape[1])


def softmax_over_the_queries(x, source, Wq, Wk, Wv):
    """the softmax runs over the queries"""
    return _attend(x, source, Wq, Wk, Wv, axis=0)


def source_with_places(x, source, Wq, Wk, Wv):
    """to attention they are a bag"""
    places = torch.arange(len(source))[:, None] / 10
    return _attend(x, source + places * (len(source) > 1), Wq, Wk, Wv)


def adds_x_itself(x, source, Wq, Wk, Wv):
    """something else than that row's value"""
    return x @ Wv + _attend(x, source, Wq, Wk, Wv)


def root_of_the_values_width(x, source, Wq, Wk, Wv):
    """the root of the width of the values"""
    scores = (x @ Wq) @ (source @ Wk).T / Wv.shape[1] ** 0.5
    return scores.softmax(dim=-1) @ (source @ Wv)
