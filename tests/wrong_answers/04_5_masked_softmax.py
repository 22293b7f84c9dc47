"""Wrong answers to 04.5. A docstring holds the words that only this fault's feedback contains."""

import math

import torch


def minus_infinity_alone(scores, mask):
    """a row that sees nothing is 0/0"""
    return scores.masked_fill(~mask, -math.inf).softmax(-1)


def lowest_number_alone(scores, mask):
    """the plain average of hidden keys"""
    return scores.masked_fill(~mask, torch.finfo(scores.dtype).min).softmax(-1)


def a_big_number_added(scores, mask):
    """that fill is too small"""
    blind = ~mask.any(-1, keepdim=True)
    plane = torch.zeros_like(scores).masked_fill(~mask, torch.finfo(torch.float16).min)
    return (scores + plane).softmax(-1).masked_fill(blind, 0.0)


def a_fill_beyond_float16(scores, mask):
    """without overflow"""
    blind = ~mask.any(-1, keepdim=True)
    return scores.masked_fill(~mask, -1e9).softmax(-1).masked_fill(blind, 0.0)


def nothing_subtracted(scores, mask):
    """no longer finite"""
    powers = scores.exp() * mask
    total = powers.sum(-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0)


def largest_of_all(scores, mask):
    """the visible weights vanish"""
    powers = (scores - scores.amax(-1, keepdim=True)).exp() * mask
    total = powers.sum(-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0)


def hidden_afterwards(scores, mask):
    """has had its share already"""
    return scores.softmax(-1) * mask


def true_means_hidden(scores, mask):
    """a hidden key has a weight"""
    blind = mask.all(-1, keepdim=True)
    return scores.masked_fill(mask & ~blind, -math.inf).softmax(-1).masked_fill(blind, 0.0)


def down_the_columns(scores, mask):
    """runs down the columns"""
    return scores.masked_fill(~mask, -math.inf).softmax(-2).nan_to_num()


def noughts_hidden(scores, mask):
    """is taken for a hidden one"""
    scores = scores * mask
    return scores.masked_fill(scores == 0, -math.inf).softmax(-1).nan_to_num()


def along_the_second_axis(scores, mask):
    """softmax runs along the second axis"""
    blind = ~mask.any(1, keepdim=True)
    weights = scores.masked_fill(~(mask | blind), -math.inf).softmax(1)
    return weights.masked_fill(blind, 0.0)


def filled_as_in_float16(scores, mask):
    """is not low in a wider type"""
    return scores.masked_fill(~mask, -65504.0).softmax(-1) * mask.any(-1, keepdim=True)


def summed_in_float16(scores, mask):
    """the sum of very many powers"""
    hidden = scores.masked_fill(~mask, -math.inf)
    powers = (hidden - hidden.amax(-1, keepdim=True).nan_to_num(neginf=0.0)).exp()
    total = powers.sum(-1, keepdim=True)
    return powers / total.masked_fill(total == 0, 1.0)
