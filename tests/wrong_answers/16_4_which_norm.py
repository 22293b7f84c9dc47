"""Wrong answers to 16.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def _normed(x, weight):
    return x * torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + 1e-5) * weight


def _candidates(x, weight):
    return {
        "layer": _normed(x - x.mean(dim=-1, keepdim=True), weight),
        "rms": _normed(x, weight),
        "one_plus_rms": _normed(x, 1 + weight),
    }


def _first_that_fits(x, weight, y, atol=1e-4):
    for name, candidate in _candidates(x, weight).items():
        if torch.allclose(candidate, y, atol=atol):
            return name
    return "other"


def first_position_only(x, weight, y):
    """one position that agrees is taken for all"""
    return _first_that_fits(x[:1], weight, y[:1])


def bit_by_bit(x, weight, y):
    """the last digits decide"""
    for name, candidate in _candidates(x.double(), weight.double()).items():
        if (candidate.float() - y).abs().max() < 3e-7:
            return name
    return "other"


def never_other(x, weight, y):
    """something else is taken for a norm"""
    gaps = {name: (c - y).abs().mean() for name, c in _candidates(x, weight).items()}
    return min(gaps, key=gaps.get)


def unweighted(x, weight, y):
    """the pattern fits, the size does not"""
    for name, candidate in _candidates(x, torch.ones_like(weight)).items():
        ratio = y / candidate
        if torch.allclose(ratio, ratio[:1].expand_as(ratio), atol=1e-3, rtol=1e-3):
            if name == "rms":
                return "rms" if torch.allclose(ratio[0], weight, atol=1e-3) else "one_plus_rms"
            return name
    return "other"


def knows_two(x, weight, y):
    """an RMSNorm by 1 + weight is not recognised"""
    name = _first_that_fits(x, weight, y)
    return "other" if name == "one_plus_rms" else name


def layer_by_its_mean(x, weight, y):
    """a LayerNorm is not recognised"""
    if y.mean(dim=-1).abs().max() < 1e-4:
        return "layer"
    name = _first_that_fits(x, weight, y)
    return "rms" if name == "layer" else name


def shouts(x, weight, y):
    """none of the four names"""
    return _first_that_fits(x, weight, y).upper()


def _nearest_by(x, weight, y, total):
    gaps = {name: total((c - y).abs()) for name, c in _candidates(x, weight).items()}
    best = min(gaps, key=gaps.get)
    return best if gaps[best] < 1e-4 else "other"


def median_of_the_error(x, weight, y):
    """most positions that agree"""
    return _nearest_by(x, weight, y, torch.median)


def one_per_cent(x, weight, y):
    """differences of more than 0.001 count"""
    return _first_that_fits(x, weight, y, atol=1e-2)


def without_eps(x, weight, y):
    """mind eps"""
    for name, vectors in (
        ("layer", x - x.mean(dim=-1, keepdim=True)),
        ("rms", x),
        ("one_plus_rms", x),
    ):
        scale = 1 + weight if name == "one_plus_rms" else weight
        made = vectors * torch.rsqrt(vectors.pow(2).mean(dim=-1, keepdim=True) + 1e-14) * scale
        if torch.allclose(made, y, atol=1e-4):
            return name
    return "other"


def divides_by_the_weight(x, weight, y):
    """nothing is divided by the weight"""
    candidates = _candidates(x, torch.ones_like(weight))
    for name, scale in (("layer", weight), ("rms", weight), ("one_plus_rms", 1 + weight)):
        bare = candidates["layer" if name == "layer" else "rms"] * 1.0
        bare = bare if name == "layer" else _normed(x, torch.ones_like(weight))
        if torch.allclose(y / scale, bare, atol=1e-4 / float(scale.abs().max()), rtol=1e-4):
            return name
    return "other"
