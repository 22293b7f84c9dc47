"""Wrong answers to 06.3. A docstring holds the words that only this fault's feedback contains."""

import math


def _down(share, start):
    return start * (1 + math.cos(math.pi * share)) / 2


def counts_from_zero(step, steps, start, warmup):
    """the cosine begins below start"""
    if step < warmup:
        return start * step / warmup
    return _down(step / steps, start)


def a_step_ahead(step, steps, start, warmup):
    """the warm-up is a step ahead"""
    if step < warmup:
        return start * (step + 1) / warmup
    return _down((step - warmup) / (steps - warmup), start)


def ends_above_zero(step, steps, start, warmup):
    """stretched over all steps and ends above 0"""
    if step < warmup:
        return start * step / warmup
    return _down((step - warmup) / steps, start)


def falls_below_zero(step, steps, start, warmup):
    """the cosine falls to -start"""
    if step < warmup:
        return start * step / warmup
    return start * math.cos(math.pi * (step - warmup) / (steps - warmup))


def divides_by_no_warmup(step, steps, start, warmup):
    """it divides by a warm-up of 0 steps"""
    if step <= warmup:
        return start * step / warmup
    return _down((step - warmup) / (steps - warmup), start)


def a_line_down(step, steps, start, warmup):
    """the way down is a line"""
    if step < warmup:
        return start * step / warmup
    return start * (steps - step) / (steps - warmup)


def multiplied(step, steps, start, warmup):
    """line and cosine are multiplied"""
    return min(step / warmup if warmup else 1, 1) * _down(step / steps, start)
