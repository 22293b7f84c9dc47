"""Wrong answers to 08.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def once_for_every_time(logits, counts, each, once):
    """taken for every time"""
    return logits - (each + once) * counts


def each_only_once(logits, counts, each, once):
    """is taken only once"""
    return logits - (each + once) * (counts > 0)


def forgets_once(logits, counts, each, once):
    """is forgotten"""
    return logits - each * counts


def begins_with_the_second(logits, counts, each, once):
    """begins with the second time"""
    return logits - each * counts - once * (counts > 1)


def first_time_is_free(logits, counts, each, once):
    """the first time does not cost"""
    return logits - each * (counts - 1).clamp(min=0) - once * (counts > 0)


def adds(logits, counts, each, once):
    """words that stood become likelier"""
    return logits + each * counts + once * (counts > 0)


def costs_all(logits, counts, each, once):
    """a word that never stood loses something"""
    return logits - each * counts - once


def divides(logits, counts, each, once):
    """it needs to know where 0 is"""
    factor = 1 + each * counts + once * (counts > 0)
    return torch.where(logits > 0, logits / factor, logits * factor)


def replaces_infinity(logits, counts, each, once):
    """a logit of minus infinity becomes finite"""
    return (logits - each * counts - once * (counts > 0)).clamp(min=-1e9)


EQUAL = {}
