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
    """root of x's width"""
    return _head(x, Wq, Wk, Wv, _triangle(x), x.shape[1] ** -0.5)


def no_root(x, Wq, Wk, Wv):
    """by the width, not its root"""
    return _head(x, Wq, Wk, Wv, _triangle(x), 1 / Wq.shape[1])


def keys_ask(x, Wq, Wk, Wv):
    """changed places"""
    return _head(x, Wk, Wq, Wv, _triangle(x), Wq.shape[1] ** -0.5)


def one_too_many(x, Wq, Wk, Wv):
    """one too wide"""
    return _head(x, Wq, Wk, Wv, _triangle(x, 2), Wq.shape[1] ** -0.5)


def transposed(x, Wq, Wk, Wv):
    """the triangle is transposed"""
    return _head(x, Wq, Wk, Wv, _triangle(x).T, Wq.shape[1] ** -0.5)


def no_mask(x, Wq, Wk, Wv):
    """nothing is hidden at all"""
    return _head(x, Wq, Wk, Wv, _triangle(x, len(x)), Wq.shape[1] ** -0.5)


def hides_itself(x, Wq, Wk, Wv):
    """the first row is 0/0"""
    return _head(x, Wq, Wk, Wv, _triangle(x, 0), Wq.shape[1] ** -0.5)


def hides_itself_but_for_the_first(x, Wq, Wk, Wv):
    """notice its own token"""
    hidden = _triangle(x, 0)
    hidden[0, 0] = False
    return _head(x, Wq, Wk, Wv, hidden, Wq.shape[1] ** -0.5)


def hidden_after_the_softmax(x, Wq, Wk, Wv):
    """taken away after the softmax"""
    weights = ((x @ Wq) @ (x @ Wk).T / Wq.shape[1] ** 0.5).softmax(-1)
    return weights.tril() @ (x @ Wv)


def down_the_columns(x, Wq, Wk, Wv):
    """runs down the columns"""
    scores = (x @ Wq) @ (x @ Wk).T / Wq.shape[1] ** 0.5
    return scores.masked_fill(_triangle(x), float("-inf")).softmax(0) @ (x @ Wv)


def _scores(x, Wq, Wk):
    return (x @ Wq) @ (x @ Wk).T / Wq.shape[1] ** 0.5


def hidden_by_a_low_number(x, Wq, Wk, Wv):
    """what hides the future is not low enough"""
    return _scores(x, Wq, Wk).masked_fill(_triangle(x), -100).softmax(-1) @ (x @ Wv)


def hidden_afterwards_and_shared_again(x, Wq, Wk, Wv):
    """the visible weights vanish"""
    weights = _scores(x, Wq, Wk).softmax(-1).tril()
    return weights / weights.sum(-1, keepdim=True) @ (x @ Wv)


def noughts_hidden(x, Wq, Wk, Wv):
    """is taken for a hidden one"""
    scores = _scores(x, Wq, Wk).tril()
    return scores.masked_fill(scores == 0, float("-inf")).softmax(-1) @ (x @ Wv)


def nothing_subtracted(x, Wq, Wk, Wv):
    """large scores overflow"""
    powers = _scores(x, Wq, Wk).exp().tril()
    return powers / powers.sum(-1, keepdim=True) @ (x @ Wv)


def scores_cut_off(x, Wq, Wk, Wv):
    """cut off at a bound"""
    scores = _scores(x, Wq, Wk).clamp(-80, 80)
    return scores.masked_fill(_triangle(x), float("-inf")).softmax(-1) @ (x @ Wv)


def root_of_the_value_width(x, Wq, Wk, Wv):
    """divided by the root of Dv"""
    return _head(x, Wq, Wk, Wv, _triangle(x), Wv.shape[1] ** -0.5)
