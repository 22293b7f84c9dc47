"""Wrong answers to 24b.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _finite(gradients):
    return all(bool(g.isfinite().all()) for g in gradients)


def steps_on_infinity(scale, good, gradients, grow_after):
    """gradients that are not finite are handed on"""
    unscaled = [g / scale for g in gradients]
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, unscaled]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def halves_on_good(scale, good, gradients, grow_after):
    """it is halved, and a step whose gradients are all finite is a good one"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    return [scale / 2, good + 1, [g / scale for g in gradients]]


def nan_missed(scale, good, gradients, grow_after):
    """it looks for infinity, and nan is none"""
    if any(bool((g.abs() == float("inf")).any()) for g in gradients):
        return [max(1.0, scale / 2), 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def first_only(scale, good, gradients, grow_after):
    """it looks at the first gradient only"""
    if not bool(gradients[0].isfinite().all()):
        return [max(1.0, scale / 2), 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def by_the_sum(scale, good, gradients, grow_after):
    """a good step is left out"""
    if not bool(torch.stack([g.sum() for g in gradients]).sum().isfinite()):
        return [max(1.0, scale / 2), 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def below_one(scale, good, gradients, grow_after):
    """the factor falls below 1"""
    if not _finite(gradients):
        return [scale / 2, 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def not_halved(scale, good, gradients, grow_after):
    """with a number that is not finite the factor is halved"""
    if not _finite(gradients):
        return [scale, 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def count_goes_on(scale, good, gradients, grow_after):
    """the good steps are those in a row"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), good, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 1 == grow_after else [scale, good + 1, unscaled]


def one_late(scale, good, gradients, grow_after):
    """after so many good steps the factor is doubled"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good == grow_after else [scale, good + 1, unscaled]


def one_early(scale, good, gradients, grow_after):
    """the factor is doubled too early"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    unscaled = [g / scale for g in gradients]
    return [2 * scale, 0, unscaled] if good + 2 >= grow_after else [scale, good + 1, unscaled]


def no_new_count(scale, good, gradients, grow_after):
    """the count begins again when the factor is doubled"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    grows = good + 1 >= grow_after
    return [2 * scale if grows else scale, good + 1, [g / scale for g in gradients]]


def by_the_new_factor(scale, good, gradients, grow_after):
    """they are divided by the new factor"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    if good + 1 == grow_after:
        return [2 * scale, 0, [g / (2 * scale) for g in gradients]]
    return [scale, good + 1, [g / scale for g in gradients]]


def undivided(scale, good, gradients, grow_after):
    """the gradients are not divided by the factor"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    grows = good + 1 == grow_after
    return [2 * scale if grows else scale, 0 if grows else good + 1, gradients]


def multiplied(scale, good, gradients, grow_after):
    """multiplied by the factor, not divided"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    grows = good + 1 == grow_after
    unscaled = [g * scale for g in gradients]
    return [2 * scale if grows else scale, 0 if grows else good + 1, unscaled]


def good_is_not_counted(scale, good, gradients, grow_after):
    """this good step is not counted"""
    if not _finite(gradients):
        return [max(1.0, scale / 2), 0, None]
    grows = good + 1 == grow_after
    return [2 * scale if grows else scale, 0 if grows else good, [g / scale for g in gradients]]
