"""Wrong answers to 24a.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _norm(gradients):
    return sum((g**2).sum() for g in gradients).sqrt()


def _answer(gradients, limit, norm=None, new=None):
    length = _norm(gradients)
    factor = limit / length if length > limit else 1.0
    new = [g * factor for g in gradients] if new is None else new
    return {"norm": float(length if norm is None else norm), "gradients": new}


def by_tensor(gradients, limit):
    """each tensor is clipped for itself"""
    new = [g * min(1.0, limit / float(g.norm())) if g.any() else g.clone() for g in gradients]
    return _answer(gradients, limit, new=new)


def by_value(gradients, limit):
    """each number is cut off"""
    return _answer(gradients, limit, new=[g.clamp(-limit, limit) for g in gradients])


def a_floor(gradients, limit):
    """what is short is made longer"""
    norm = _norm(gradients)
    factor = limit / norm if norm > 0 else 1.0
    return _answer(gradients, limit, new=[g * factor for g in gradients])


def length_after(gradients, limit):
    """the length after clipping is told"""
    return _answer(gradients, limit, norm=min(float(_norm(gradients)), limit))


def no_root(gradients, limit):
    """the root is not taken"""
    return _answer(gradients, limit, norm=_norm(gradients) ** 2)


def lengths_added(gradients, limit):
    """the tensors' lengths are added"""
    return _answer(gradients, limit, norm=sum(g.norm() for g in gradients))


def the_longest(gradients, limit):
    """the longest tensor's length is told"""
    return _answer(gradients, limit, norm=max(g.norm() for g in gradients))


def sizes(gradients, limit):
    """sizes are added, not squares"""
    return _answer(gradients, limit, norm=sum(g.abs().sum() for g in gradients))


def untouched(gradients, limit):
    """nothing is clipped"""
    return _answer(gradients, limit, new=list(gradients))


def to_one(gradients, limit):
    """and the limit is forgotten"""
    norm = _norm(gradients)
    factor = 1 / norm if norm > limit else 1.0
    return _answer(gradients, limit, new=[g * factor for g in gradients])


def torchs(gradients, limit):
    """it is not the asked tensor"""
    factor = min(1.0, limit / (float(_norm(gradients)) + 1e-6))
    return _answer(gradients, limit, new=[g * factor for g in gradients])


def nan_at_zero(gradients, limit):
    """it divides by a length of 0"""
    norm = _norm(gradients)
    return _answer(
        gradients, limit, new=[g / norm * torch.clamp(norm, max=limit) for g in gradients]
    )


EQUAL = {
    "norm > limit  ->  norm >= limit": "at the limit the factor is 1",
}
