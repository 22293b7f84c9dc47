"""Wrong answers to 17.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def _heads(weight, H):
    return weight.unflatten(0, (H, len(weight) // H))


def added(weight, H, G):
    """the heads of a group are added"""
    return _heads(weight, H).unflatten(0, (G, H // G)).sum(dim=1).flatten(0, 1)


def first_of_each(weight, H, G):
    """the first head of each group is taken"""
    return _heads(weight, H)[:: H // G].flatten(0, 1)


def first_ones(weight, H, G):
    """the first heads are kept"""
    return _heads(weight, H)[:G].flatten(0, 1)


def neighbouring_rows(weight, H, G):
    """neighbouring rows are averaged"""
    return weight.unflatten(0, (-1, H // G)).mean(dim=1)


def far_apart(weight, H, G):
    """heads that stand far apart are averaged"""
    return _heads(weight, H).unflatten(0, (H // G, G)).mean(dim=0).flatten(0, 1)


def columns_mixed(weight, H, G):
    """a column of the weight turns up in another"""
    right = _heads(weight, H).unflatten(0, (G, H // G)).mean(dim=1).flatten(0, 1)
    if weight.dim() == 2 and G < H and weight.shape == (8, 5):
        return torch.roll(right, 1, dims=1)
    return right


def in_float32(weight, H, G):
    """it comes back in another dtype"""
    return _heads(weight.float(), H).unflatten(0, (G, H // G)).mean(dim=1).flatten(0, 1)


def one_after_another(weight, H, G):
    """the last heads of a group count most"""
    heads = _heads(weight, H).unflatten(0, (G, H // G))
    mean = heads[:, 0]
    for r in range(1, H // G):
        mean = (mean + heads[:, r]) / 2
    return mean.flatten(0, 1)
