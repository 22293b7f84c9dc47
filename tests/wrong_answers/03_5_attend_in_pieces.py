"""Wrong answers to 03.5. A docstring holds the words that only this fault's feedback contains."""

import math

import torch


def _scores(query, keys, start, size):
    return keys[start : start + size] @ query / math.sqrt(len(query))


def _running(query, keys, values, size, largest=-math.inf, total_too=True, weighted_too=True):
    largest, total, weighted = torch.tensor(largest), 0.0, 0.0
    for start in range(0, len(keys), size):
        scores = _scores(query, keys, start, size)
        new = torch.maximum(largest, scores.max())
        powers, shrink = (scores - new).exp(), (largest - new).exp()
        total = total * (shrink if total_too else 1) + powers.sum()
        weighted = weighted * (shrink if weighted_too else 1) + powers @ values[start:][:size]
        largest = new
    return weighted / total


def nothing_shrinks(query, keys, values, size):
    """must shrink to fit it"""
    return _running(query, keys, values, size, total_too=False, weighted_too=False)


def only_the_total_shrinks(query, keys, values, size):
    """only one of the two sums"""
    return _running(query, keys, values, size, weighted_too=False)


def begins_at_zero(query, keys, values, size):
    """must begin at -inf"""
    return _running(query, keys, values, size, largest=0.0)


def nothing_subtracted(query, keys, values, size):
    """large scores overflow"""
    total, weighted = 0.0, 0.0
    for start in range(0, len(keys), size):
        powers = _scores(query, keys, start, size).exp()
        total = total + powers.sum()
        weighted = weighted + powers @ values[start : start + size]
    return weighted / total


def drops_the_rest(query, keys, values, size):
    """no multiple of the size"""
    size = min(size, len(keys))
    whole = len(keys) - len(keys) % size
    return _running(query, keys[:whole], values[:whole], size)


def mean_of_the_pieces(query, keys, values, size):
    """each piece weighs the same"""
    rows = [
        _scores(query, keys, start, size).softmax(0) @ values[start : start + size]
        for start in range(0, len(keys), size)
    ]
    return torch.stack(rows).mean(0)


def last_piece_only(query, keys, values, size):
    """keep the sums of those before"""
    for start in range(0, len(keys), size):
        scores = _scores(query, keys, start, size)
        powers = (scores - scores.max()).exp()
        total, weighted = powers.sum(), powers @ values[start : start + size]
    return weighted / total


def no_scale(query, keys, values, size):
    """not divided by the root of D"""
    return _running(query * math.sqrt(len(query)), keys, values, size)


def last_key_alone(query, keys, values, size):
    """a last key that is a piece of its own"""
    rest = (len(keys) - 1) % size or len(keys) == 1
    seen = len(keys) if rest else len(keys) - 1
    return _running(query, keys[:seen], values[:seen], size)


def noughts_hidden(query, keys, values, size):
    """is taken for a hidden one"""
    scores = _scores(query, keys, 0, len(keys))
    return _running(query, keys[scores != 0], values[scores != 0], size)


def scores_cut_off(query, keys, values, size):
    """cut off at a bound"""
    total, weighted = 0.0, 0.0
    for start in range(0, len(keys), size):
        powers = _scores(query, keys, start, size).clamp(-80, 80).exp()
        total = total + powers.sum()
        weighted = weighted + powers @ values[start : start + size]
    return weighted / total


EQUAL = {
    "0.0  ->  1.0": "what the total begins with is multiplied by 0 at the first piece",
    "0.0  ->  -1.0": "what the total begins with is multiplied by 0 at the first piece",
}
