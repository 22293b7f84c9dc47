"""Wrong answers to 02.2. A docstring holds the words that only this fault's feedback contains."""

import torch


def _average(band):
    return band / band.sum(dim=1, keepdim=True).clamp(min=1)


def one_row_too_wide(length, width):
    """one row too wide"""
    return _average(torch.ones(length, length).tril().triu(-width))


def divides_by_width(length, width):
    """the window holds fewer rows"""
    return torch.ones(length, length).tril().triu(1 - width) / width


def both_sides(length, width):
    """takes from a later row"""
    return _average(torch.ones(length, length).tril(width - 1).triu(1 - width))


def one_row_too_narrow(length, width):
    """one row too narrow"""
    return _average(torch.ones(length, length).tril().triu(min(0, 2 - width)))


def whole_past(length, width):
    """averages the whole past"""
    return _average(torch.ones(length, length).tril())


def columns_sum_to_one(length, width):
    """the columns sum to 1"""
    band = torch.ones(length, length).tril().triu(1 - width)
    return band / band.sum(dim=0, keepdim=True)


def newer_counts_more(length, width):
    """do not count alike"""
    place = torch.arange(length)
    before = place[:, None] - place
    return _average(torch.ones(length, length).tril() * (width - before).clamp(min=0))
