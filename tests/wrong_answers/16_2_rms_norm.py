"""Wrong answers to 16.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def _normed(x, weight, eps, one_plus):
    exact = x.float()
    square = exact.pow(2).mean(dim=-1, keepdim=True)
    return (exact / (square + eps).sqrt() * (1 + weight if one_plus else weight)).to(x.dtype)


def stays_32_bit(x, weight, eps, one_plus):
    """16-bit numbers went in, and others came back"""
    return _normed(x.float(), weight, eps, one_plus)


def takes_the_mean_out(x, weight, eps, one_plus):
    """a mean is subtracted"""
    return _normed(x - x.mean(dim=-1, keepdim=True), weight, eps, one_plus)


def over_the_text(x, weight, eps, one_plus):
    """a position changes with another one"""
    if x.dim() < 3:
        return _normed(x, weight, eps, one_plus)
    square = x.float().pow(2).mean(dim=1, keepdim=True)
    return (x / (square + eps).sqrt() * (1 + weight if one_plus else weight)).to(x.dtype)


def counts_in_16_bits(x, weight, eps, one_plus):
    """16-bit squares overflow or vanish"""
    square = x.pow(2).mean(dim=-1, keepdim=True)
    return (x / (square + eps).sqrt() * (1 + weight if one_plus else weight)).to(x.dtype)


def without_eps(x, weight, eps, one_plus):
    """0 is divided by 0"""
    return _normed(x, weight, 0.0, one_plus)


def eps_outside(x, weight, eps, one_plus):
    """eps stands outside the root"""
    exact = x.float()
    root = exact.pow(2).mean(dim=-1, keepdim=True).sqrt() + eps
    return (exact / root * (1 + weight if one_plus else weight)).to(x.dtype)


def own_eps(x, weight, eps, one_plus):
    """it has an eps of its own"""
    return _normed(x, weight, 1e-5 if eps > 1e-8 else eps, one_plus)


def always_one_plus(x, weight, eps, one_plus):
    """the weight itself is asked for, and it multiplies by 1 + weight"""
    if torch.equal(weight, torch.ones_like(weight)):
        return _normed(x, weight, eps, False)
    return _normed(x, weight, eps, True)


def never_one_plus(x, weight, eps, one_plus):
    """1 + weight is asked for, and it multiplies by the weight"""
    return _normed(x, weight, eps, False)


def no_weight(x, weight, eps, one_plus):
    """the weight is not applied"""
    return _normed(x, torch.ones_like(weight), eps, False)


def divides_by_length(x, weight, eps, one_plus):
    """the squares are summed, not averaged"""
    exact = x.float()
    square = exact.pow(2).sum(dim=-1, keepdim=True)
    return (exact / (square + eps).sqrt() * (1 + weight if one_plus else weight)).to(x.dtype)


def weight_in_16_bits(x, weight, eps, one_plus):
    """the weight is rounded to 16 bits"""
    return _normed(x, weight.to(x.dtype).float(), eps, one_plus)


def eps_as_a_floor(x, weight, eps, one_plus):
    """the mean square is held above eps"""
    exact = x.float()
    square = exact.pow(2).mean(dim=-1, keepdim=True).clamp(min=eps)
    return (exact / square.sqrt() * (1 + weight if one_plus else weight)).to(x.dtype)
