"""Wrong answers to 24a.2. A docstring holds the words that only this fault's feedback contains."""

import math


def _rate(step, steps, warm, decay, kind):
    if step < warm:
        return (step + 1) / (warm + 1)
    if kind == "cosine":
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / (steps - warm)))
    left = steps - step
    return left / (decay + 1) if left <= decay else 1.0


def from_zero(step, steps, warm, decay, kind):
    """the warm-up begins at 0"""
    return step / warm if step < warm else _rate(step, steps, warm, decay, kind)


def too_soon(step, steps, warm, decay, kind):
    """the peak comes a step too soon"""
    return (step + 1) / warm if step < warm else _rate(step, steps, warm, decay, kind)


def no_warm_up(step, steps, warm, decay, kind):
    """there is no warm-up"""
    return _rate(step, steps, warm, decay, kind) if step >= warm else 1.0


def cosine_from_zero(step, steps, warm, decay, kind):
    """the cosine counts from step 0"""
    if kind == "cosine" and step >= warm:
        return 0.5 * (1 + math.cos(math.pi * step / steps))
    return _rate(step, steps, warm, decay, kind)


def stretched(step, steps, warm, decay, kind):
    """the cosine is stretched over all steps"""
    if kind == "cosine" and step >= warm:
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / steps))
    return _rate(step, steps, warm, decay, kind)


def last_lost(step, steps, warm, decay, kind):
    """the last step has rate 0"""
    if kind == "cosine" and step >= warm:
        return 0.5 * (1 + math.cos(math.pi * (step - warm) / max(1, steps - warm - 1)))
    return _rate(step, steps, warm, decay, kind)


def a_line(step, steps, warm, decay, kind):
    """the way down is a line"""
    if kind == "cosine" and step >= warm:
        return (steps - step) / (steps - warm)
    return _rate(step, steps, warm, decay, kind)


def from_the_start(step, steps, warm, decay, kind):
    """with no stable stretch"""
    if kind == "wsd" and step >= warm and decay:
        return (steps - step) / (steps - warm)
    return _rate(step, steps, warm, decay, kind)


def wsd_to_zero(step, steps, warm, decay, kind):
    """the last step has the rate 0"""
    if kind == "wsd" and step >= warm and decay:
        return min(1, (steps - step - 1) / decay)
    return _rate(step, steps, warm, decay, kind)


def a_step_late(step, steps, warm, decay, kind):
    """the decay starts a step late"""
    if kind == "wsd" and step >= warm and decay:
        return min(1, (steps - step) / decay)
    return _rate(step, steps, warm, decay, kind)


def never_down(step, steps, warm, decay, kind):
    """it never decays"""
    return 1.0 if kind == "wsd" and step >= warm else _rate(step, steps, warm, decay, kind)


def half_a_cosine(step, steps, warm, decay, kind):
    """the decay is half a cosine"""
    left = steps - step
    if kind == "wsd" and step >= warm and left <= decay:
        return 0.5 * (1 + math.cos(math.pi * (1 - left / decay)))
    return _rate(step, steps, warm, decay, kind)


def divides_by_the_decay(step, steps, warm, decay, kind):
    """it divides by a stretch of 0 steps"""
    left = steps - step
    if kind == "wsd" and step >= warm:
        return min(1, left / decay * decay / (decay + 1))
    return _rate(step, steps, warm, decay, kind)


def decay_within_the_warm_up(step, steps, warm, decay, kind):
    """though there is none to spare"""
    if warm and warm + decay == steps and step == warm and decay:
        return 1.0
    return _rate(step, steps, warm, decay, kind)
