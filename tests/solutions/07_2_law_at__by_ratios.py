from math import exp, isnan


def law_at(logits, temperature):
    """Each probability by itself: 1 over the sum of all ratios to it."""
    if isnan(temperature) or temperature < 0:
        raise ValueError(temperature)
    if temperature == 0:
        best = 0
        for place, logit in enumerate(logits):
            if logit > logits[best]:
                best = place
        return tuple(1.0 if place == best else 0.0 for place in range(len(logits)))

    def ratio(other, own):
        step = (other - own) / temperature
        return float("inf") if step > 700 else exp(step)

    return [
        0.0 if own == float("-inf") else 1 / sum(ratio(other, own) for other in logits)
        for own in logits
    ]
