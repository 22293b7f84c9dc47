"""Wrong answers to 09.2. A docstring holds the words that only this fault's feedback contains."""

import math


def _kept(sentences, probabilities, prompt):
    kept = [
        p if s[: len(prompt)] == prompt else 0.0
        for s, p in zip(sentences, probabilities, strict=True)
    ]
    if sum(kept) == 0:
        raise ValueError("impossible")
    return kept


def not_divided(sentences, probabilities, prompt):
    """they sum to P(prompt), not to 1"""
    return _kept(sentences, probabilities, prompt)


def equal_shares(sentences, probabilities, prompt):
    """share equally"""
    kept = _kept(sentences, probabilities, prompt)
    count = sum(p > 0 for p in kept)
    return [(p > 0) / count for p in kept]


def hands_on_equal_parts(sentences, probabilities, prompt):
    """handed on in equal parts"""
    kept = _kept(sentences, probabilities, prompt)
    count = sum(p > 0 for p in kept)
    lost = 1 - sum(kept)
    return [p + lost / count if p else 0.0 for p in kept]


def softmax_of_probabilities(sentences, probabilities, prompt):
    """bends their proportions"""
    powers = [math.exp(p) if p else 0.0 for p in _kept(sentences, probabilities, prompt)]
    return [p / sum(powers) for p in powers]


def forgets_to_rule_out(sentences, probabilities, prompt):
    """keeps some probability"""
    _kept(sentences, probabilities, prompt)
    return [p / sum(probabilities) for p in probabilities]


def only_what_is_left(sentences, probabilities, prompt):
    """items where"""
    kept = _kept(sentences, probabilities, prompt)
    return [p / sum(kept) for p in kept if p]


def zeros_for_nothing(sentences, probabilities, prompt):
    """no sentence begins with the prompt, and yet it gives a law"""
    begins = [s[: len(prompt)] == prompt for s in sentences]
    if not any(begins):
        return [0.0] * len(sentences)
    kept = _kept(sentences, probabilities, prompt)
    return [p / sum(kept) for p in kept]


def divides_by_zero(sentences, probabilities, prompt):
    """probability 0: this must be a ValueError"""
    begins = [s[: len(prompt)] == prompt for s in sentences]
    if not any(begins):
        raise ValueError("impossible")
    kept = [p if b else 0.0 for p, b in zip(probabilities, begins, strict=True)]
    return [p / sum(kept) for p in kept]
