"""Wrong answers to 15.5. A docstring holds the words that only this fault's feedback contains."""

import torch


def _fits(x, turned, atol=1e-4):
    T, D = x.shape
    found = {}
    for name, shape, axis in (("pairs", (T, D // 2, 2), 2), ("halves", (T, 2, D // 2), 1)):
        before, after = (v.reshape(shape).pow(2).sum(axis) for v in (x, turned))
        found[name] = torch.allclose(before, after, atol=atol)
    return found


def _say(fits):
    if all(fits.values()):
        return "both"
    names = [name for name, fit in fits.items() if fit]
    return names[0] if names else "neither"


def names_swapped(x, turned):
    """neighbouring lanes that were turned together are called halves"""
    word = _say(_fits(x, turned))
    return {"pairs": "halves", "halves": "pairs"}.get(word, word)


def decides_for_pairs(x, turned):
    """it decides for pairs"""
    word = _say(_fits(x, turned))
    return "pairs" if word == "both" else word


def decides_for_halves(x, turned):
    """it decides for halves"""
    word = _say(_fits(x, turned))
    return "halves" if word == "both" else word


def never_neither(x, turned):
    """what was turned in no layout is called halves"""
    word = _say(_fits(x, turned))
    return "halves" if word == "neither" else word


def first_row_only(x, turned):
    """pairs alone fits, and it says both"""
    return _say(_fits(x[:1], turned[:1]))


def whole_length(x, turned):
    """what was turned in no layout is called both"""
    same = torch.allclose(x.norm(dim=-1), turned.norm(dim=-1), atol=1e-4)
    fits = _fits(x, turned)
    return _say(fits) if any(fits.values()) else "both" if same else "neither"


def known_positions(x, turned):
    """a turn in pairs is not recognised"""
    T, D = x.shape
    angles = torch.arange(T)[:, None] * 10000 ** (-torch.arange(0, D, 2) / D)
    a, b = x[:, 0::2], x[:, 1::2]
    new = (a * angles.cos() - b * angles.sin(), b * angles.cos() + a * angles.sin())
    pairs = torch.allclose(torch.stack(new, -1).flatten(1), turned, atol=1e-4)
    fits = _fits(x, turned)
    return _say(fits | {"pairs": pairs or (fits["pairs"] and fits["halves"])})


def no_word(x, turned):
    """another word than the four"""
    return "interleaved"


def on_average(x, turned):
    """an average hides it"""
    T, D = x.shape
    found = {}
    for name, shape, axis in (("pairs", (T, D // 2, 2), 2), ("halves", (T, 2, D // 2), 1)):
        before, after = (v.reshape(shape).norm(dim=axis) for v in (x, turned))
        found[name] = float((before - after).abs().mean()) < 1e-4
    return _say(found)


def first_pair_only(x, turned):
    """one pair of lanes that does not fit is overlooked"""
    D = x.shape[1]
    if not torch.allclose(x.norm(), turned.norm(), rtol=0.2):
        return "neither"
    found = {}
    for name, lanes in (("pairs", [0, 1]), ("halves", [0, D // 2])):
        before, after = (v[:, lanes].norm(dim=1) for v in (x, turned))
        found[name] = torch.allclose(before, after, atol=1e-4)
    return _say(found)


def bit_by_bit(x, turned):
    """the last digits decide"""
    return _say(_fits(x.double(), turned.double(), atol=1e-6))
