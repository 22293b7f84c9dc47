"""Wrong answers to 21.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def unmoved(weight, G):
    """no row is moved"""
    return weight.clone()


def the_other_way(weight, G):
    """from halves to pairs"""
    heads = weight.unflatten(0, (G, 2, -1))
    return heads.transpose(1, 2).flatten(0, 2)


def over_all_heads(weight, G):
    """rows leave their head"""
    return torch.cat([weight[0::2], weight[1::2]])


def odd_first(weight, G):
    """the odd lanes stand before the even ones"""
    heads = weight.unflatten(0, (G, -1))
    return torch.cat([heads[:, 1::2], heads[:, 0::2]], dim=1).flatten(0, 1)


def columns(weight, G):
    """the columns are moved"""
    return torch.cat([weight[:, 0::2], weight[:, 1::2]], dim=1)


def reversed_rows(weight, G):
    """the rows of a head are reversed"""
    return weight.unflatten(0, (G, -1)).flip(1).flatten(0, 1)
