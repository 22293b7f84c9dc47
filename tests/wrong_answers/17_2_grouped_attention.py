"""Wrong answers to 17.2. A docstring holds the words that only this fault's feedback contains."""

import math

import torch

EQUAL = {"-2  ->  2": "of four axes, the third is the one before the last"}


def _attend(query, key, value, mask, scale=None):
    scale = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = (query @ key.transpose(-2, -1) * scale).masked_fill(~mask, -math.inf)
    return scores.softmax(dim=-1) @ value


def _copied(query, key, value):
    copies = query.shape[1] // key.shape[1]
    return [x.repeat_interleave(copies, dim=1) for x in (key, value)]


def in_turn(query, key, value, mask):
    """the heads are dealt out in turn"""
    copies = query.shape[1] // key.shape[1]
    return _attend(query, *(x.repeat(1, copies, 1, 1) for x in (key, value)), mask)


def keys_in_turn(query, key, value, mask):
    """keys and values are shared in different orders"""
    copies = query.shape[1] // key.shape[1]
    return _attend(query, key.repeat(1, copies, 1, 1), _copied(query, key, value)[1], mask)


def first_head_only(query, key, value, mask):
    """all query heads read the first key/value head"""
    return _attend(query, key[:, :1], value[:, :1], mask)


def averaged(query, key, value, mask):
    """all query heads read the average"""
    key, value = (x.mean(dim=1, keepdim=True) for x in (key, value))
    return _attend(query, key, value, mask)


def no_mask(query, key, value, mask):
    """a query sees a key that the mask hides"""
    return _attend(query, *_copied(query, key, value), torch.ones_like(mask))


def no_scale(query, key, value, mask):
    """the scores are not divided by the root of D"""
    return _attend(query, *_copied(query, key, value), mask, scale=1.0)


def scale_of_all_heads(query, key, value, mask):
    """the root of all heads' width"""
    scale = (query.shape[1] * query.shape[-1]) ** -0.5
    return _attend(query, *_copied(query, key, value), mask, scale=scale)
