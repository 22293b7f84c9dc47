"""Wrong answers to 15.6. A docstring holds the words that only this fault's feedback contains."""

import math

import torch


def _kept(speeds, length, low, high):
    return ((length * speeds / (2 * math.pi) - low) / (high - low)).clamp(0, 1)


def all_slowed(speeds, factor, length, low, high):
    """every pair is slowed"""
    return speeds / factor


def turned_around(speeds, factor, length, low, high):
    """a slow pair keeps its speed"""
    kept = 1 - _kept(speeds, length, low, high)
    return kept * speeds + (1 - kept) * speeds / factor


def faster(speeds, factor, length, low, high):
    """multiplied by the factor"""
    kept = _kept(speeds, length, low, high)
    return kept * speeds + (1 - kept) * speeds * factor


def radians(speeds, factor, length, low, high):
    """a turn is 2 pi of them"""
    kept = _kept(speeds * 2 * math.pi, length, low, high)
    return kept * speeds + (1 - kept) * speeds / factor


def all_or_nothing(speeds, factor, length, low, high):
    """it jumps in the middle"""
    kept = (_kept(speeds, length, low, high) >= 0.5).float()
    return kept * speeds + (1 - kept) * speeds / factor


def wavelengths(speeds, factor, length, low, high):
    """it blends the wavelengths"""
    kept = _kept(speeds, length, low, high)
    return 1 / (kept / speeds + (1 - kept) * factor / speeds)


def between_keeps(speeds, factor, length, low, high):
    """between, pairs keep all of their speed"""
    return torch.where(_kept(speeds, length, low, high) > 0, speeds, speeds / factor)


def between_slowed(speeds, factor, length, low, high):
    """between, pairs are slowed by all of the factor"""
    return torch.where(_kept(speeds, length, low, high) < 1, speeds / factor, speeds)


def not_clamped(speeds, factor, length, low, high):
    """a share falls below 0"""
    kept = ((length * speeds / (2 * math.pi) - low) / (high - low)).clamp(max=1)
    return kept * speeds + (1 - kept) * speeds / factor


def one_more(speeds, factor, length, low, high):
    """with factor 1 the speeds change"""
    kept = _kept(speeds, length, low, high)
    return kept * speeds + (1 - kept) * speeds / (factor + 1)


def whole_turns(speeds, factor, length, low, high):
    """only whole turns are counted"""
    turns = (length * speeds / (2 * math.pi)).floor()
    kept = ((turns - low) / (high - low)).clamp(0, 1)
    return kept * speeds + (1 - kept) * speeds / factor


def fastest_first(speeds, factor, length, low, high):
    """each pair goes by its own"""
    kept = _kept(speeds.sort(descending=True).values, length, low, high)
    return kept * speeds + (1 - kept) * speeds / factor


def over_the_new_length(speeds, factor, length, low, high):
    """turns are counted over the new length"""
    kept = _kept(speeds, factor * length, low, high)
    return kept * speeds + (1 - kept) * speeds / factor
