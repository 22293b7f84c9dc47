"""Wrong answers to 05.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def rows(weight, H, h):
    """rows are set to 0"""
    D = len(weight) // H
    quiet = weight.clone()
    quiet[h * D : (h + 1) * D] = 0
    return quiet


def the_others(weight, H, h):
    """it keeps head h alone"""
    D = len(weight) // H
    quiet = torch.zeros_like(weight)
    quiet[:, h * D : (h + 1) * D] = weight[:, h * D : (h + 1) * D]
    return quiet


def wrong_width(weight, H, h):
    """a head is D = C / H columns wide"""
    quiet = weight.clone()
    quiet[:, h * H : (h + 1) * H] = 0
    return quiet


def every_hth_column(weight, H, h):
    """every H-th column is set to 0"""
    quiet = weight.clone()
    quiet[:, h::H] = 0
    return quiet


def counted_from_one(weight, H, h):
    """it silences the head before h"""
    D = len(weight) // H
    quiet = weight.clone()
    quiet[:, max(h - 1, 0) * D : h * D] = 0
    return quiet


def one_column_short(weight, H, h):
    """head h still writes, or another head is missing"""
    D = len(weight) // H
    quiet = weight.clone()
    quiet[:, h * D : (h + 1) * D - 1] = 0
    return quiet


def whispers(weight, H, h):
    """made quiet, not silent"""
    D = len(weight) // H
    quiet = weight.clone()
    quiet[:, h * D : (h + 1) * D] *= 1e-9
    return quiet


def in_single_precision(weight, H, h):
    """are rounded: keep the dtype"""
    D = len(weight) // H
    quiet = weight.to(torch.float32, copy=True)
    quiet[:, h * D : (h + 1) * D] = 0
    return quiet
