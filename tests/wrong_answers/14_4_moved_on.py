"""Wrong answers to 14.4. A docstring holds the words that only this fault's feedback contains."""

import torch

EQUAL = {"0::2  ->  ::2": "a slice begins at 0"}


def _turn(sines, cosines, by):
    return sines * by.cos() + cosines * by.sin(), cosines * by.cos() - sines * by.sin()


def _speeds(C):
    return 1 / 10000 ** (torch.arange(0, C, 2) / C)


def backwards(rows, steps):
    """the rows move back"""
    new = _turn(rows[:, 0::2], rows[:, 1::2], -steps * _speeds(rows.shape[1]))
    return torch.stack(new, dim=-1).flatten(1)


def one_speed(rows, steps):
    """all pairs turn at the same speed"""
    new = _turn(rows[:, 0::2], rows[:, 1::2], torch.tensor(float(steps)))
    return torch.stack(new, dim=-1).flatten(1)


def by_pair_number(rows, steps):
    """not by 2 i"""
    C = rows.shape[1]
    new = _turn(rows[:, 0::2], rows[:, 1::2], steps / 10000 ** (torch.arange(C // 2) / C))
    return torch.stack(new, dim=-1).flatten(1)


def slow_first(rows, steps):
    """the slow pairs stand first"""
    new = _turn(rows[:, 0::2], rows[:, 1::2], steps * _speeds(rows.shape[1]).flip(0))
    return torch.stack(new, dim=-1).flatten(1)


def halves(rows, steps):
    """these are not the rows of the positions further on"""
    sines, cosines = rows.chunk(2, dim=-1)
    return torch.cat(_turn(sines, cosines, steps * _speeds(rows.shape[1])), dim=-1)


def looks_them_up(rows, steps):
    """turn the pairs, whatever they hold"""
    C = rows.shape[1]
    at = torch.arange(-50, 200)
    angles = at[:, None] * _speeds(C)
    table = torch.stack([angles.sin(), angles.cos()], dim=-1).flatten(1)
    nearest = (rows @ table.T).argmax(dim=-1)
    return table[nearest + steps]
