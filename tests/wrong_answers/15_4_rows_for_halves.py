"""Wrong answers to 15.4. A docstring holds the words that only this fault's feedback contains."""

import torch


def as_one_head(weight, H):
    """as if they were one"""
    return torch.cat([weight[0::2], weight[1::2]])


def the_way_back(weight, H):
    """this is the way back"""
    D = len(weight) // H
    return weight.view(H, 2, D // 2, -1).transpose(1, 2).reshape(weight.shape)


def unchanged(weight, H):
    """the rows stay as they are"""
    return weight.clone()


def odd_first(weight, H):
    """in another order than even ones first"""
    D = len(weight) // H
    return weight.view(H, D // 2, 2, -1).transpose(1, 2).flip(1).reshape(weight.shape)


def heads_mixed(weight, H):
    """a row stands in another head"""
    D = len(weight) // H
    return weight.view(H, D // 2, 2, -1).permute(2, 0, 1, 3).reshape(weight.shape).roll(1, 0)


def repeats(weight, H):
    """a row is missing, or stands there twice"""
    D = len(weight) // H
    even = weight.view(H, D, -1)[:, 0::2]
    return torch.cat([even, even], dim=1).reshape(weight.shape)


def scales(weight, H):
    """the numbers of a row are not the ones that went in"""
    D = len(weight) // H
    rows = weight.view(H, D // 2, 2, -1).transpose(1, 2).reshape(weight.shape).clone()
    rows[:, 1:] = rows[:, 1:] * 2**-0.5
    return rows


def made_in_float32(weight, H):
    """the rows come back in another dtype"""
    D = len(weight) // H
    return weight.float().view(H, D // 2, 2, -1).transpose(1, 2).reshape(weight.shape)


def width_of_the_columns(weight, H):
    """the width of a head is taken from the columns"""
    D = weight.shape[1] // H
    if D < 2 or D % 2 or len(weight) % D:
        D = len(weight) // H
    return weight.view(-1, D // 2, 2, weight.shape[1]).transpose(1, 2).reshape(weight.shape)
