"""Wrong answers to 03.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def _row(query, keys, values, scale):
    return (keys @ query * scale).softmax(0) @ values


def no_scale(query, keys, values):
    """not divided by anything"""
    return _row(query, keys, values, 1)


def no_root(query, keys, values):
    """divided by the width, not its root"""
    return _row(query, keys, values, 1 / len(query))


def root_of_the_length(query, keys, values):
    """root of T, not of D"""
    return _row(query, keys, values, len(keys) ** -0.5)


def softmax_of_a_column(query, keys, values):
    """over an axis of length 1"""
    weights = (keys @ query[:, None] / len(query) ** 0.5).softmax(dim=-1)  # [T, 1]
    return (weights * values).sum(0)


def mask_from_the_top_left(query, keys, values):
    """only the oldest token is seen"""
    scores = query[None] @ keys.T / len(query) ** 0.5  # [1, T]
    hidden = torch.ones(scores.shape).triu(1).bool()
    return (scores.masked_fill(hidden, float("-inf")).softmax(-1) @ values)[0]


def hides_itself(query, keys, values):
    """the newest token may see itself"""
    if len(keys) == 1:
        return values[0]
    return _row(query, keys[:-1], values[:-1], len(query) ** -0.5)


def best_key_only(query, keys, values):
    """only the best key counts"""
    return values[(keys @ query).argmax()]


def plain_mean(query, keys, values):
    """the scores do not count"""
    return values.mean(0)


def root_of_the_value_width(query, keys, values):
    """root of Dv, not of D"""
    return _row(query, keys, values, values.shape[1] ** -0.5)


def nothing_subtracted(query, keys, values):
    """large scores overflow"""
    powers = (keys @ query / len(query) ** 0.5).exp()
    return powers @ values / powers.sum()


def noughts_hidden(query, keys, values):
    """is taken for a hidden one"""
    scores = keys @ query / len(query) ** 0.5
    return scores.masked_fill(scores == 0, float("-inf")).softmax(0) @ values


def scores_cut_off(query, keys, values):
    """cut off at a bound"""
    return (keys @ query / len(query) ** 0.5).clamp(-80, 80).softmax(0) @ values


EQUAL = {"0  ->  -1": "the first axis of a list of scores is its last one too"}
