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


def hides_zero_scores(query, key, value, mask):
    """a score of exactly 0 is taken for a hidden one"""
    key, value = _copied(query, key, value)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) * mask
    scores = scores.masked_fill(scores == 0, -math.inf)
    return scores.softmax(dim=-1).nan_to_num(0) @ value


def exp_without_the_largest(query, key, value, mask):
    """take the largest score off first"""
    key, value = _copied(query, key, value)
    powers = (query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])).exp() * mask
    return powers / powers.sum(dim=-1, keepdim=True) @ value


def hides_by_a_low_number(query, key, value, mask):
    """what hides a key is not low enough"""
    key, value = _copied(query, key, value)
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    return scores.masked_fill(~mask, -1e4).softmax(dim=-1) @ value


def own_causal_mask(query, key, value, mask):
    """it makes a causal mask of its own"""
    Tq, Tk = mask.shape
    if Tq <= Tk:
        mask = torch.ones_like(mask).tril(Tk - Tq)
    return _attend(query, *_copied(query, key, value), mask)
