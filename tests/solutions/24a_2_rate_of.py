import math


def rate_of(step, steps, warm, decay, kind):
    """Return the rate of a step, as a share of the peak."""
    if step < warm:
        return (step + 1) / (warm + 1)
    if kind == "cosine":
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))
    left = steps - step  # steps to come, this one too
    return left / (decay + 1) if left <= decay else 1.0
