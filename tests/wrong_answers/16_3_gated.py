"""Wrong answers to 16.3. A docstring holds the words that only this fault's feedback contains."""

import torch
import torch.nn.functional as F


def _part(x, weights, hidden):
    wide = F.linear(x, weights["widen"])
    gate = F.linear(x, weights["gate"]) if "gate" in weights else None
    return F.linear(hidden(wide, gate), weights["narrow"])


def _right(x, weights, kind):
    bend = F.silu if kind == "swiglu" else F.gelu
    return _part(x, weights, lambda w, g: bend(w) if g is None else bend(g) * w)


def adds(x, weights, kind):
    """they multiply, they are not added"""
    return _part(x, weights, lambda w, g: F.gelu(w) if g is None else F.silu(g) + w)


def bends_the_other(x, weights, kind):
    """the wrong one is bent"""
    bend = F.silu if kind == "swiglu" else F.gelu
    return _part(x, weights, lambda w, g: bend(w) if g is None else bend(w) * g)


def squashes(x, weights, kind):
    """only squashed by a sigmoid"""
    return _part(x, weights, lambda w, g: F.gelu(w) if g is None else torch.sigmoid(g) * w)


def tanh_form(x, weights, kind):
    """that is the tanh form of GELU"""
    if kind == "gelu":
        return _part(x, weights, lambda w, g: F.gelu(w, approximate="tanh"))
    return _right(x, weights, kind)


def forgets_to_bend(x, weights, kind):
    """so its two matrices are one"""
    return _part(x, weights, lambda w, g: w) if kind == "gelu" else _right(x, weights, kind)


def bends_the_product(x, weights, kind):
    """the product is bent"""
    return _part(x, weights, lambda w, g: F.gelu(w) if g is None else F.gelu(g * w))


def always_silu(x, weights, kind):
    """GeGLU is asked for, and this is SwiGLU"""
    return _right(x, weights, "swiglu" if kind == "geglu" else kind)


def always_gelu(x, weights, kind):
    """SwiGLU is asked for, and this is GeGLU"""
    return _right(x, weights, "geglu" if kind == "swiglu" else kind)


def over_the_text(x, weights, kind):
    """a position changes with another one"""
    return _right(x - x.mean(dim=1, keepdim=True), weights, kind)


def bend_overflows(x, weights, kind):
    """exp must not grow beyond all bounds"""
    if kind != "swiglu":
        return _right(x, weights, kind)
    return _part(x, weights, lambda w, g: g * g.exp() / (1 + g.exp()) * w)


def square_the_wrong_way(x, weights, kind):
    """a square matrix is used the wrong way round"""
    if weights["widen"].shape[0] == weights["widen"].shape[1] == 4:
        weights = {name: matrix.T for name, matrix in weights.items()}
    return _right(x, weights, kind)
