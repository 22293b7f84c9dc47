"""Wrong answers to 22.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _answer(x, weight, scales=None, codes=None, product=None):
    if scales is None:
        scales = weight.abs().amax(dim=1) / 127
    if codes is None:
        codes = torch.where(scales[:, None] == 0, 0.0, weight / scales[:, None]).round()
    if product is None:
        product = (x @ codes.T) * scales
    return {"codes": codes.long(), "scales": scales, "product": product}


def one_scale(x, weight):
    """one scale serves the whole matrix"""
    return _answer(x, weight, scales=(weight.abs().max() / 127).repeat(len(weight)))


def without_absolute_value(x, weight):
    """a negative one may be larger"""
    return _answer(x, weight, scales=weight.amax(dim=1) / 127)


def by_128(x, weight):
    """128 steps"""
    return _answer(x, weight, scales=weight.abs().amax(dim=1) / 128)


def cut_off(x, weight):
    """the codes are cut off, not rounded"""
    scales = weight.abs().amax(dim=1) / 127
    steps = torch.where(scales[:, None] == 0, 0.0, weight / scales[:, None])
    return _answer(x, weight, codes=steps.trunc())


def rounded_down(x, weight):
    """the codes are rounded down"""
    scales = weight.abs().amax(dim=1) / 127
    steps = torch.where(scales[:, None] == 0, 0.0, weight / scales[:, None])
    return _answer(x, weight, codes=steps.floor())


def old_weights(x, weight):
    """the product is made of the weights as they were before rounding"""
    return _answer(x, weight, product=x @ weight.T)


def unscaled(x, weight):
    """the scales are missing in the product"""
    codes = _answer(x, weight)["codes"].float()
    return _answer(x, weight, product=x @ codes.T)
