"""Wrong answers to 16.5. A docstring holds the words that only this fault's feedback contains."""

import torch


def _pieces(x, eps):
    return torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)


def _both(x, weight, gradient, eps):
    r = _pieces(x, eps)
    g = gradient * weight
    for_x = r * (g - x * r.pow(2) * (g * x).mean(dim=-1, keepdim=True))
    return [for_x, (gradient * x * r).sum(dim=(0, 1))]


def root_is_constant(x, weight, gradient, eps):
    """the gradient has a part along x"""
    return [gradient * weight * _pieces(x, eps), _both(x, weight, gradient, eps)[1]]


def weight_left_out(x, weight, gradient, eps):
    """the weight is left out of x's gradient"""
    for_x = _both(x, torch.ones_like(weight), gradient, eps)[0]
    return [for_x, _both(x, weight, gradient, eps)[1]]


def averaged(x, weight, gradient, eps):
    """the weight's gradient is averaged over positions"""
    for_x, for_weight = _both(x, weight, gradient, eps)
    return [for_x, for_weight / (x.shape[0] * x.shape[1])]


def not_divided(x, weight, gradient, eps):
    """twice as long an x does not get half"""
    for_x, for_weight = _both(x, weight, gradient, eps)
    return [for_x / _pieces(x, eps), for_weight]


def weight_meets_x(x, weight, gradient, eps):
    """the weight meets the normalised x"""
    return [_both(x, weight, gradient, eps)[0], (gradient * x).sum(dim=(0, 1))]


def weight_twice(x, weight, gradient, eps):
    """the weight's gradient has the weight in it"""
    for_x, for_weight = _both(x, weight, gradient, eps)
    return [for_x, for_weight * weight]


def forgets_eps(x, weight, gradient, eps):
    """eps is left out"""
    size = (x.pow(2).mean(dim=-1, keepdim=True) == 0) * 1e-12
    return _both(x, weight, gradient, size)


def last_row_only(x, weight, gradient, eps):
    """the positions do not add up"""
    for_x = _both(x, weight, gradient, eps)[0]
    return [for_x, _both(x[-1:], weight, gradient[-1:], eps)[1]]


def right_angles_always(x, weight, gradient, eps):
    """it is put at right angles to x for every eps"""
    g = gradient * weight
    along = (g * x).sum(dim=-1, keepdim=True) / x.pow(2).sum(dim=-1, keepdim=True).clamp(min=1e-30)
    return [_pieces(x, eps) * (g - along * x), _both(x, weight, gradient, eps)[1]]


def own_eps(x, weight, gradient, eps):
    """it has an eps of its own"""
    return _both(x, weight, gradient, 1e-5 if eps > 1e-8 else eps)


def output_over_weight(x, weight, gradient, eps):
    """a weight of 0 gives NaN"""
    y = x * _pieces(x, eps) * weight
    return [_both(x, weight, gradient, eps)[0], (gradient * y).sum(dim=(0, 1)) / weight]
