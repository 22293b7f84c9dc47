import math


def rate_of(step, steps, warm, decay, kind):
    """A wsd is the lowest of three lines; a cosine is a sine squared."""
    up = (step + 1) / (warm + 1)
    if kind == "wsd":
        down = (steps - step) / (decay + 1)
        return up if step < warm else min(1, down)
    if step < warm:
        return up
    return math.sin(math.pi / 2 * (steps - step) / (steps - warm)) ** 2
