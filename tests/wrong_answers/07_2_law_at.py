"""Wrong answers to 07.2. A docstring holds the words that only this fault's feedback contains."""

import math


def _softmax(logits):
    largest = max(logits)
    powers = [math.exp(logit - largest) for logit in logits]
    return [power / sum(powers) for power in powers]


def _one(logits, places):
    return [1 / len(places) if place in places else 0.0 for place in range(len(logits))]


def _law(logits, temperature, at_zero=None):
    if not temperature >= 0:
        raise ValueError
    largest = max(logits)
    if temperature == 0:
        return _one(logits, [logits.index(largest)] if at_zero is None else at_zero)
    return _softmax([(logit - largest) / temperature for logit in logits])


def multiplies(logits, temperature):
    """the logits are multiplied by the temperature"""
    if temperature < 1e-9 or math.isnan(temperature):
        return _law(logits, temperature)
    return _law(logits, 1 / temperature)


def without_effect(logits, temperature):
    """the temperature has no effect on the law"""
    law = _law(logits, temperature)
    return law if temperature < 1e-9 else _softmax(logits)


def twice(logits, temperature):
    """the temperature is applied twice"""
    if not temperature > 0:
        return _law(logits, temperature)
    return _law([logit / temperature for logit in logits], temperature)


def not_rescaled(logits, temperature):
    """it gives no law"""
    if not temperature > 0:
        return _law(logits, temperature)
    return [math.exp((logit - max(logits)) / temperature) for logit in logits]


def zero_is_off(logits, temperature):
    """temperature 0 is taken for temperature 1"""
    return _law(logits, 1 if temperature == 0 else temperature)


def last_of_equal_ones(logits, temperature):
    """of equal logits the last one is taken"""
    ties = [place for place, logit in enumerate(logits) if logit == max(logits)]
    return _law(logits, temperature, ties[-1:])


def equal_ones_share(logits, temperature):
    """greedy takes the first alone"""
    ties = [place for place, logit in enumerate(logits) if logit == max(logits)]
    return _law(logits, temperature, ties)


def overflows(logits, temperature):
    """it raised OverflowError"""
    if not temperature > 0:
        return _law(logits, temperature)
    powers = [math.exp(logit / temperature) for logit in logits]
    return [power / sum(powers) for power in powers]


def small_is_zero(logits, temperature):
    """a tiny temperature is taken for 0"""
    return _law(logits, 0 if 0 < temperature < 1e-6 else temperature)


def clamps(logits, temperature):
    """changes when a constant is added"""
    if not temperature > 1e-9:
        return _law(logits, temperature)
    return _softmax([min(max(logit / temperature, -700), 700) for logit in logits])


def accepts_below_zero(logits, temperature):
    """an impossible temperature is not refused"""
    return _law(logits, abs(temperature))


EQUAL = {}
