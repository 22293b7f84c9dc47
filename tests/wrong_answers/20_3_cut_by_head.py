"""Wrong answers to 20.3. A docstring holds the words that only this fault's feedback contains."""

import torch


def three_thirds(fused, H):
    """it cuts into three thirds"""
    return list(fused.chunk(3))


def every_third_row(fused, H):
    """every third row is taken"""
    return [fused[kind::3] for kind in range(3)]


def key_and_value_swapped(fused, H):
    """key and value have changed places"""
    pieces = fused.chunk(3 * H)
    return [torch.cat(pieces[kind::3]) for kind in (0, 2, 1)]


def key_first(fused, H):
    """query comes first, then key, value"""
    pieces = fused.chunk(3 * H)
    return [torch.cat(pieces[kind::3]) for kind in (1, 2, 0)]


def heads_interleaved(fused, H):
    """the heads are interleaved"""
    heads = fused.view(H, 3, -1, *fused.shape[1:])
    return [heads[:, kind].transpose(0, 1).flatten(0, 1) for kind in range(3)]
