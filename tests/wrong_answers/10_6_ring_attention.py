"""Wrong answers to 10.6. A docstring holds the words that only this fault's feedback contains."""

import torch


def _row(query, keys, values):
    return (keys @ query / len(query) ** 0.5).softmax(0) @ values


def _ring(key, W):
    keys = torch.zeros(W, key.shape[1])
    for t in range(len(key)):
        keys[t % W] = key[t]
    return keys


def one_place_too_far(query, key, value, W):
    """one place too far"""
    T, D = query.shape
    keys, values = torch.zeros(2, W, D)
    rows = []
    for t in range(T):
        keys[(t + 1) % W], values[(t + 1) % W] = key[t], value[t]
        held = [(s + 1) % W for s in range(max(0, t - W + 1), t + 1)]
        rows.append(_row(query[t], keys[held], values[held]))
    return torch.stack(rows), keys


def moves_everything(query, key, value, W):
    """a ring does not move what it holds"""
    T, D = query.shape
    keys, values = torch.zeros(2, 0, D)
    rows = []
    for t in range(T):
        keys = torch.cat([keys, key[t : t + 1]])[-W:]
        values = torch.cat([values, value[t : t + 1]])[-W:]
        rows.append(_row(query[t], keys, values))
    return torch.stack(rows), torch.cat([keys, torch.zeros(W - len(keys), D)])


def first_ones_stay(query, key, value, W):
    """nothing is written over"""
    T, D = query.shape
    keys, values = torch.zeros(2, W, D)
    rows = []
    for t in range(T):
        if t < W:
            keys[t], values[t] = key[t], value[t]
        rows.append(_row(query[t], keys[: t + 1], values[: t + 1]))
    return torch.stack(rows), keys


def counts_empty_places(query, key, value, W):
    """places that were never filled get weight"""
    T, D = query.shape
    keys, values = torch.zeros(2, W, D)
    rows = []
    for t in range(T):
        keys[t % W], values[t % W] = key[t], value[t]
        rows.append(_row(query[t], keys, values))
    return torch.stack(rows), keys


def looks_first(query, key, value, W):
    """write first, then look into the ring"""
    T, D = query.shape
    keys, values = torch.zeros(2, W, D)
    rows = []
    for t in range(T):
        filled = max(1, min(t, W))
        rows.append(_row(query[t], keys[:filled], values[:filled]))
        keys[t % W], values[t % W] = key[t], value[t]
    return torch.stack(rows), keys


def one_token_more(query, key, value, W):
    """a row sees W + 1 tokens"""
    rows = [
        _row(query[t], key[max(0, t - W) : t + 1], value[max(0, t - W) : t + 1])
        for t in range(len(query))
    ]
    return torch.stack(rows), _ring(key, W)


def never_forgets(query, key, value, W):
    """a row sees the whole past"""
    rows = [_row(query[t], key[: t + 1], value[: t + 1]) for t in range(len(query))]
    return torch.stack(rows), _ring(key, W)


def hides_by_a_mask(query, key, value, W):
    """hide nothing by a weight of 0"""
    T, D = query.shape
    distance = torch.arange(T)[:, None] - torch.arange(T)
    scores = (query @ key.T / D**0.5).masked_fill((distance < 0) | (distance >= W), float("-inf"))
    return scores.softmax(-1) @ value, _ring(key, W)


def no_scale(query, key, value, W):
    """not divided by anything"""
    rows = []
    for t in range(len(query)):
        seen = slice(max(0, t - W + 1), t + 1)
        rows.append((key[seen] @ query[t]).softmax(0) @ value[seen])
    return torch.stack(rows), _ring(key, W)


EQUAL = {"0  ->  -1": "a vector of scores has one axis, the first and the last"}
