from math import cos, pi


def rate_at(step, steps, start, warmup):
    """The lower of two lines, and (1 + cos 2a) / 2 = cos² a."""
    up = step / warmup if warmup else 1.0
    down = max(step - warmup, 0) / (steps - warmup)
    return start * min(up, 1.0) * cos(down * pi / 2) ** 2
