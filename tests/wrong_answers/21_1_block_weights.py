"""Wrong answers to 21.1. A docstring holds the words that only this fault's feedback contains."""

import torch


def _parts(data):
    data = torch.tensor(data, dtype=torch.uint8)
    scale, low = data[:4].view(torch.float16).float()
    return scale, low, data[4:] & 15, data[4:] >> 4


def ends_swapped(data):
    """scale and low end have changed places"""
    scale, low, first, second = _parts(data)
    return low * torch.cat([first, second]) + scale


def high_half_first(data):
    """the low half comes first"""
    scale, low, first, second = _parts(data)
    return scale * torch.cat([second, first]) + low


def neighbours(data):
    """they belong to columns i and i + 16"""
    scale, low, first, second = _parts(data)
    return scale * torch.stack([first, second], dim=1).flatten() + low


def without_low(data):
    """the low end is not added"""
    scale, _, first, second = _parts(data)
    return scale * torch.cat([first, second])


def from_the_middle(data):
    """codes are counted from the middle"""
    scale, _, first, second = _parts(data)
    return scale * (torch.cat([first, second]).float() - 8)


def not_shifted(data):
    """the high half of a byte is not shifted down"""
    scale, low, first, second = _parts(data)
    return scale * torch.cat([first, second * 16]) + low


def big_end_first(data):
    """the two bytes of a 16-bit number are read in reverse"""
    _, _, first, second = _parts(data)
    ends = torch.tensor([data[1], data[0], data[3], data[2]], dtype=torch.uint8)
    scale, low = ends.view(torch.float16).float().nan_to_num()
    return scale * torch.cat([first, second]) + low


def in_16_bits(data):
    """it computes in 16 bits"""
    scale, low = torch.tensor(data[:4], dtype=torch.uint8).view(torch.float16)
    codes = torch.tensor([b % 16 for b in data[4:]] + [b // 16 for b in data[4:]])
    return (scale * codes.half() + low).float()
