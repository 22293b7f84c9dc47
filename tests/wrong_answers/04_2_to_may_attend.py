"""Wrong answers to 04.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def _right(mask, convention):
    if convention not in ("may", "hidden", "additive"):
        raise ValueError
    return mask if convention == "may" else mask == 0


def hidden_as_it_is(mask, convention):
    """ "hidden" is not turned around"""
    if convention in ("may", "hidden"):
        return mask
    if convention == "additive":
        return mask == 0
    raise ValueError


def may_turned_around(mask, convention):
    """ "may" is turned around"""
    if convention in ("may", "hidden"):
        return ~mask
    if convention == "additive":
        return mask == 0
    raise ValueError


def additive_as_truth(mask, convention):
    """comes out upside down"""
    if convention == "may":
        return mask.clone()
    if convention == "hidden":
        return ~mask
    if convention == "additive":
        return mask.bool()
    raise ValueError


def anything_else_is_additive(mask, convention):
    """taken without a word"""
    if convention == "may":
        return mask
    return ~mask if convention == "hidden" else mask == 0


def key_error(mask, convention):
    """something else than ValueError"""
    return {"may": mask, "hidden": mask == 0, "additive": mask == 0}[convention]


def knows_one_float_type(mask, convention):
    """another float type"""
    if convention not in ("may", "hidden", "additive"):
        raise ValueError
    if convention == "additive":
        return mask > torch.finfo(torch.float64).min if mask.dtype == torch.float32 else mask < 0
    return mask if convention == "may" else mask == 0


def leading_ones_dropped(mask, convention):
    """a tensor of shape [3, 3] where [1, 1, 3, 3]"""
    while mask.ndim > 2 and mask.shape[0] == 1:
        mask = mask[0]
    return _right(mask, convention)
