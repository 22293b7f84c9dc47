"""Wrong answers to 15.2. A docstring holds the words that only this fault's feedback contains."""

import torch

EQUAL = {"0::2  ->  ::2": "a slice begins at 0"}


def _speeds(D, base):
    return base ** (-torch.arange(0, D, 2) / D)


def _turn(x, angles, layout):
    a, b = (x[:, 0::2], x[:, 1::2]) if layout == "pairs" else x.chunk(2, dim=-1)
    new = (a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin())
    return torch.stack(new, dim=-1).flatten(1) if layout == "pairs" else torch.cat(new, dim=-1)


def always_halves(x, positions, base, layout):
    """the layouts have changed places, or are one"""
    return _turn(x, positions[:, None] * _speeds(x.shape[1], base), "halves")


def backwards(x, positions, base, layout):
    """it turns backwards"""
    return _turn(x, -positions[:, None] * _speeds(x.shape[1], base), layout)


def half_the_exponent(x, positions, base, layout):
    """the exponent is 2 i / D, not i / D"""
    D = x.shape[1]
    return _turn(x, positions[:, None] * base ** (-torch.arange(D // 2) / D), layout)


def one_speed(x, positions, base, layout):
    """all pairs turn at one speed"""
    return _turn(x, positions[:, None] * torch.ones(x.shape[1] // 2), layout)


def slow_first(x, positions, base, layout):
    """the slow pairs stand first"""
    return _turn(x, positions[:, None] * _speeds(x.shape[1], base).flip(0), layout)


def counts_rows(x, positions, base, layout):
    """it counts the rows"""
    return _turn(x, torch.arange(len(x))[:, None] * _speeds(x.shape[1], base), layout)


def fixed_base(x, positions, base, layout):
    """the base is always 10000"""
    return _turn(x, positions[:, None] * _speeds(x.shape[1], 10_000.0), layout)


def sign_lost(x, positions, base, layout):
    """both sines are added"""
    angles = positions[:, None] * _speeds(x.shape[1], base)
    a, b = (x[:, 0::2], x[:, 1::2]) if layout == "pairs" else x.chunk(2, dim=-1)
    new = (a * angles.cos() + b * angles.sin(), b * angles.cos() + a * angles.sin())
    return torch.stack(new, dim=-1).flatten(1) if layout == "pairs" else torch.cat(new, dim=-1)


def adds(x, positions, base, layout):
    """something is added"""
    angles = positions[:, None] * _speeds(x.shape[1], base)
    return x + torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)


def from_the_smallest(x, positions, base, layout):
    """places are counted from the smallest one"""
    places = positions - positions.min() if len(positions) > 1 else positions
    return _turn(x, places[:, None] * _speeds(x.shape[1], base), layout)


def sixteen_bit_clock(x, positions, base, layout):
    """angles are counted in 16 bits"""
    if positions.max() < 100:
        return _turn(x, positions[:, None] * _speeds(x.shape[1], base), layout)
    angles = positions.half().float()[:, None] * _speeds(x.shape[1], base).half().float()
    return _turn(x, angles, layout)
