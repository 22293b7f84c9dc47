"""Wrong answers to 19.5. A docstring holds the words that only this fault's feedback contains."""

import torch
import torch.nn.functional as F


def _norm(x, weight):
    return x * torch.rsqrt(x.square().mean() + 1e-5) * weight


def _turned(x, position, base, layout="halves"):
    D = x.shape[-1]
    angles = position * base ** (-torch.arange(0, D, 2) / D)
    cos, sin = angles.cos(), angles.sin()
    if layout == "pairs":
        a, b = x[..., 0::2], x[..., 1::2]
        return torch.stack([a * cos - b * sin, b * cos + a * sin], dim=-1).flatten(-2)
    a, b = x.chunk(2, dim=-1)
    return torch.cat([a * cos - b * sin, b * cos + a * sin], dim=-1)


def _step(
    x, weights, keys, values, base, place=0, layout="halves", tiled=False, late=False,
    value_too=False, bend=F.silu, norm=_norm, scale=True,
):  # fmt: skip
    G, T, D = keys.shape
    read = norm(x, weights["attention_norm.weight"])
    query, key, value = (
        (weights[f"attention.{name}.weight"] @ read).view(-1, 1, D)
        for name in ("query", "key", "value")
    )
    query = _turned(query, T + place, base, layout)
    stored = key if late else _turned(key, T + place, base, layout)
    value = _turned(value, T, base) if value_too else value
    keys, values = torch.cat([keys, stored], dim=1), torch.cat([values, value], dim=1)
    wide = [
        part.repeat(len(query) // G, 1, 1)
        if tiled
        else part.repeat_interleave(len(query) // G, dim=0)
        for part in (keys, values)
    ]
    scores = query @ wide[0].mT
    scores = scores / D**0.5 if scale else scores
    mixed = scores.softmax(dim=-1) @ wide[1]
    x = x + weights["attention.output.weight"] @ mixed.flatten()
    read = norm(x, weights["feed_forward_norm.weight"])
    gate, more = (weights[f"feed_forward.{name}.weight"] @ read for name in ("gate", "widen"))
    said = weights["feed_forward.narrow.weight"] @ (bend(gate) * more)
    return {"x": x + said, "keys": keys, "values": values}


def always_position_zero(x, weights, keys, values, base):
    """it stands behind the cache"""
    return _step(x, weights, keys, values, base, place=-keys.shape[1])


def counted_from_one(x, weights, keys, values, base):
    """the new token stands one position too far"""
    return _step(x, weights, keys, values, base, place=1)


def neighbouring_lanes(x, weights, keys, values, base):
    """neighbouring lanes are paired"""
    return _step(x, weights, keys, values, base, layout="pairs")


def groups_tiled(x, weights, keys, values, base):
    """query heads read the wrong key/value heads"""
    return _step(x, weights, keys, values, base, tiled=True)


def value_turned(x, weights, keys, values, base):
    """the value is turned"""
    return _step(x, weights, keys, values, base, value_too=True)


def gelu(x, weights, keys, values, base):
    """the gate is bent by GELU"""
    return _step(x, weights, keys, values, base, bend=F.gelu)


def layer_norm(x, weights, keys, values, base):
    """the mean is subtracted"""
    return _step(x, weights, keys, values, base, norm=lambda x, weight: _norm(x - x.mean(), weight))


def no_scale(x, weights, keys, values, base):
    """the scores are not divided by the root of D"""
    return _step(x, weights, keys, values, base, scale=False)


def key_not_turned(x, weights, keys, values, base):
    """the new key is not turned"""
    return _step(x, weights, keys, values, base, late=True)
