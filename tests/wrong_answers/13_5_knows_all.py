"""Wrong answers to 13.5. A docstring holds the words that only this fault's feedback contains."""

import torch


def _places(reach):
    return reach.all(dim=-1).nonzero().flatten().tolist()


def _after(mask, blocks):
    reach = torch.eye(len(mask), dtype=torch.bool)
    for _ in range(blocks):
        reach = (mask.float() @ reach.float()) > 0
    return reach


def one_look(mask, blocks):
    """it looks at the mask once"""
    return _places(_after(mask, min(blocks, 1)))


def one_step_more(mask, blocks):
    """one step too many"""
    reach = mask
    for _ in range(blocks):
        reach = (mask.float() @ reach.float()) > 0
    return _places(reach)


def one_step_less(mask, blocks):
    """one step too few"""
    return _places(_after(mask, max(blocks, 1) - 1 if len(mask) > 1 else 0))


def seen_by_all(mask, blocks):
    """rows and columns are exchanged"""
    return _places(_after(mask, blocks).T)


def squares_each_time(mask, blocks):
    """each block doubles the steps"""
    reach = torch.eye(len(mask), dtype=torch.bool) if blocks == 0 else mask
    for _ in range(min(blocks, 12)):
        reach = (reach.float() @ reach.float()) > 0
    return _places(reach)


def until_nothing_changes(mask, blocks):
    """count the blocks"""
    return _places(_after(mask, len(mask) if blocks else 0))


def counts_paths(mask, blocks):
    """keep True and False, not counts of paths"""
    paths = torch.eye(len(mask))
    for _ in range(blocks):
        paths = mask.float() @ paths
    return _places(paths > 0)


def starts_from_the_mask(mask, blocks):
    """taken as one block"""
    return _places(_after(mask, max(blocks, 1)))


def last_one_first(mask, blocks):
    """ascending order"""
    return _places(_after(mask, blocks))[::-1]
