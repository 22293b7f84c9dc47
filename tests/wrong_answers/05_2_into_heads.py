"""Wrong answers to 05.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def hurried(x, H):
    """a piece of the text instead of a piece of the width"""
    B, T, C = x.shape
    return x.reshape(B, H, T, C // H)


def not_moved(x, H):
    """still stands behind T"""
    B, T, C = x.shape
    return x.view(B, T, H, C // H)


def every_hth_column(x, H):
    """a head holds every H-th column"""
    B, T, C = x.shape
    return x.view(B, T, C // H, H).permute(0, 3, 1, 2)


def reversed_heads(x, H):
    """the heads stand in reverse order"""
    return torch.stack(x.chunk(H, dim=-1)[::-1], dim=1)


def swapped_first(x, H):
    """T and C are swapped first"""
    B, T, C = x.shape
    return x.transpose(1, 2).reshape(B, H, T, C // H)


def first_row_for_all(x, H):
    """the first one's heads"""
    B, T, C = x.shape
    return x[:1].view(1, T, H, C // H).transpose(1, 2).repeat(B, 1, 1, 1)


def in_single_precision(x, H):
    """numbers are rounded on the way"""
    B, T, C = x.shape
    return x.float().view(B, T, H, C // H).transpose(1, 2)
