import math


def law_at(logits, temperature):
    """Return softmax(logits / temperature), a list of as many probabilities.

    logits: a list of floats; -inf may stand in it, but not everywhere.
    temperature: 0 or more; 0 is greedy. ValueError for a negative one and for NaN.
    """
    if not temperature >= 0:  # NaN is in no order with any number
        raise ValueError("give a temperature of 0 or more")
    largest = max(logits)
    if temperature == 0:
        first = logits.index(largest)
        return [float(place == first) for place in range(len(logits))]
    # 0 for the largest and below 0 for the others, so no power of e can overflow
    powers = [math.exp((logit - largest) / temperature) for logit in logits]
    total = sum(powers)
    return [power / total for power in powers]
