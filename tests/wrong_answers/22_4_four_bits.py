"""Wrong answers to 22.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def _answer(weights, low=None, high=None, steps=15, near=torch.round, pack=None):
    blocks = weights.view(-1, 32)
    least, most = blocks.aminmax(dim=1)
    low = least if low is None else low
    high = most if high is None else high
    scale = (high - low) / steps
    codes = torch.where(scale[:, None] == 0, 0.0, (blocks - low[:, None]) / scale[:, None])
    codes = near(codes).clamp(0, 15).long()
    packed = pack(codes) if pack else codes[:, :16] + 16 * codes[:, 16:]
    return {"bytes": packed, "scale": scale, "low": low}


def sixteen_steps(weights):
    """sixteen levels have fifteen steps between them"""
    return _answer(weights, steps=16)


def one_low(weights):
    """one low end serves all blocks"""
    return _answer(weights, low=weights.min().repeat(len(weights) // 32))


def one_scale(weights):
    """one scale serves all blocks"""
    blocks = weights.view(-1, 32)
    whole = weights.max() - weights.min()
    return _answer(weights, high=blocks.amin(dim=1) + whole)


def around_zero(weights):
    """the levels lie evenly around 0"""
    most = weights.view(-1, 32).abs().amax(dim=1)
    return _answer(weights, low=-most, high=most)


def zero_of_torch(weights):
    """that is the zero of torch"""
    found = _answer(weights)
    return found | {"low": found["low"] + 8 * found["scale"]}


def rounded_down(weights):
    """the codes are rounded down, not to the nearest"""
    return _answer(weights, near=lambda steps: (steps + 1e-3).floor())


def neighbours(weights):
    """neighbours share a byte"""
    return _answer(weights, pack=lambda codes: codes[:, ::2] + 16 * codes[:, 1::2])


def halves_swapped(weights):
    """the two halves of a byte have changed places"""
    return _answer(weights, pack=lambda codes: 16 * codes[:, :16] + codes[:, 16:])


def upside_down(weights):
    """code 0 is the smallest weight, not the largest"""
    return _answer(weights, near=lambda steps: 15 - steps.round())
