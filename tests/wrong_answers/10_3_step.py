"""Wrong answers to 10.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _context(query, keys, values, scale):
    return (keys @ query * scale).softmax(0) @ values


def _appended(key, value, keys, values):
    return torch.cat([keys, key[None]]), torch.cat([values, value[None]])


def attends_first(query, key, value, keys, values):
    """the new token does not see itself"""
    new_keys, new_values = _appended(key, value, keys, values)
    if len(keys) == 0:
        return value, new_keys, new_values
    return _context(query, keys, values, len(query) ** -0.5), new_keys, new_values


def attends_first_even_with_no_past(query, key, value, keys, values):
    """an average over nothing"""
    new_keys, new_values = _appended(key, value, keys, values)
    if len(keys) == 0:
        return torch.zeros_like(value), new_keys, new_values
    return _context(query, new_keys, new_values, len(query) ** -0.5), new_keys, new_values


def no_scale(query, key, value, keys, values):
    """not divided by anything"""
    keys, values = _appended(key, value, keys, values)
    return _context(query, keys, values, 1), keys, values


def no_root(query, key, value, keys, values):
    """not by its root"""
    keys, values = _appended(key, value, keys, values)
    return _context(query, keys, values, 1 / len(query)), keys, values


def root_of_the_length(query, key, value, keys, values):
    """root of the number of keys"""
    keys, values = _appended(key, value, keys, values)
    return _context(query, keys, values, len(keys) ** -0.5), keys, values


def newest_first(query, key, value, keys, values):
    """the newest token stands first"""
    keys, values = torch.cat([key[None], keys]), torch.cat([value[None], values])
    return _context(query, keys, values, len(query) ** -0.5), keys, values


def exchanged(query, key, value, keys, values):
    """keys and values are exchanged"""
    keys, values = _appended(key, value, keys, values)
    return _context(query, keys, values, len(query) ** -0.5), values, keys


def key_twice(query, key, value, keys, values):
    """key and value of the new token are mixed up"""
    keys, values = _appended(key, key, keys, values)
    return _context(query, keys, values, len(query) ** -0.5), keys, values


def no_softmax(query, key, value, keys, values):
    """a softmax is missing"""
    keys, values = _appended(key, value, keys, values)
    if len(keys) == 1:
        return value, keys, values
    return keys @ query / len(query) ** 0.5 @ values, keys, values


def keeps_only_the_old(query, key, value, keys, values):
    """it returned a tensor of shape [3, 4] where"""
    new_keys, new_values = _appended(key, value, keys, values)
    return _context(query, new_keys, new_values, len(query) ** -0.5), keys, values


EQUAL = {"0  ->  -1": "a vector of scores has one axis, the first and the last"}
