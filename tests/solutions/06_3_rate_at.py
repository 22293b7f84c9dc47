import math


def rate_at(step, steps, start, warmup):
    """Return the learning rate at `step` of `steps`: up to `start`, then down to 0.

    step: from 0 to steps. warmup: whole steps, from 0 to steps - 1.
    """
    if step < warmup:
        return start * step / warmup
    share = (step - warmup) / (steps - warmup)  # of the way down, 0 to 1
    return start * (1 + math.cos(math.pi * share)) / 2
