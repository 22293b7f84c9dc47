"""Wrong answers to 19.3. A docstring holds the words that only this fault's feedback contains."""

import torch

NORMS = ("attention_norm.weight", "feed_forward_norm.weight")
READS = (
    ("attention.query.weight", "attention.key.weight", "attention.value.weight"),
    ("feed_forward.gate.weight", "feed_forward.widen.weight"),
)


def _absorb(weights, reads=READS, norms=NORMS, stretch=lambda value, norm: value * norm):
    new = dict(weights)
    for norm, names in zip(norms, reads, strict=True):
        for name in names:
            new[name] = stretch(weights[name], weights[norm])
    return new | {norm: torch.ones_like(weights[norm]) for norm in NORMS}


def rows(weights):
    """it stretches rows"""
    return (
        _absorb(weights, stretch=lambda value, norm: (value.T * norm[: len(value)]).T)
        if len(weights["feed_forward.gate.weight"]) == len(weights[NORMS[0]])
        else _absorb(weights)
    )


def no_value(weights):
    """a matrix that reads the norm is left as it was"""
    return _absorb(weights, reads=(READS[0][:2], READS[1]))


def divides(weights):
    """it divides by the norm's weights"""
    return _absorb(weights, stretch=lambda value, norm: value / norm)


def norms_swapped(weights):
    """it takes the weights of the other norm"""
    return _absorb(weights, norms=NORMS[::-1])


def norms_stay(weights):
    """a norm keeps its weights"""
    return _absorb(weights) | {norm: weights[norm] for norm in NORMS}


def also_the_writers(weights):
    """it reads no norm"""
    new = _absorb(weights)
    new["attention.output.weight"] = weights["attention.output.weight"] * weights[NORMS[1]]
    return new
