"""Wrong answers to 14.3. A docstring holds the words that only this fault's feedback contains."""

import math

import torch

EQUAL = {"0  ->  -1": "whatever is read for the future is filled afterwards"}


def _back(queries, keys):
    return torch.arange(keys - queries, keys)[:, None] - torch.arange(keys)


def _laid(table, back, hidden):
    bias = table[back.clamp(0, len(table) - 1)].permute(2, 0, 1)
    return bias.masked_fill(hidden, -math.inf)


def heads_last(table, queries, keys):
    """the heads stand last"""
    back = _back(queries, keys)
    return _laid(table, back, back < 0).permute(1, 2, 0)


def top_left(table, queries, keys):
    """taken for the first of the keys"""
    back = torch.arange(queries)[:, None] - torch.arange(keys)
    return _laid(table, back, back < 0)


def both_ways(table, queries, keys):
    """a key in the future has a finite number"""
    back = _back(queries, keys)
    return _laid(table, back.abs(), back < -keys)


def without_itself(table, queries, keys):
    """a key that is not in the future is hidden"""
    back = _back(queries, keys)
    return _laid(table, back, back <= 0)


def from_the_end(table, queries, keys):
    """its first row is distance 0"""
    back = _back(queries, keys)
    return _laid(table.flip(0), back, back < 0)


def begins_anew(table, queries, keys):
    """it begins anew"""
    back = _back(queries, keys)
    return _laid(table, back % len(table), back < 0)


def nothing_beyond(table, queries, keys):
    """there is no bias"""
    back = _back(queries, keys)
    return _laid(table, back, back < 0).masked_fill(back >= len(table), 0.0)


def from_one(table, queries, keys):
    """distances are counted from 1"""
    back = _back(queries, keys)
    return _laid(table, back + 1, back < 0)


def no_limit(table, queries, keys):
    """it raised IndexError"""
    back = _back(queries, keys)
    return table[back.clamp(0)].permute(2, 0, 1).masked_fill(back < 0, -math.inf)
