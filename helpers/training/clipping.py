"""A bound for the gradient: its length is cut, its direction kept.

One bad batch can have a gradient a hundred times as long as usual. All gradients together are one
vector; if it is longer than the limit, all of them shrink by the same factor.
Source: Pascanu, Mikolov and Bengio 2013.
"""

from __future__ import annotations

from collections.abc import Iterable

import torch
from torch import Tensor, nn

from helpers.needs import need_positive


def norm_of(tensors: Iterable[Tensor]) -> float:
    """The length of all tensors as one vector; 0 of none."""
    lengths = [torch.linalg.vector_norm(tensor.detach()) for tensor in tensors]
    return float(torch.linalg.vector_norm(torch.stack(lengths))) if lengths else 0.0


def gradient_norm(parameters: Iterable[nn.Parameter]) -> float:
    """The length of all gradients as one vector; a weight without one counts as zeros."""
    return norm_of(p.grad for p in parameters if p.grad is not None)


@torch.no_grad()
def clip(parameters: Iterable[nn.Parameter], limit: float) -> float:
    """Shrink all gradients by one factor, in place, so that they are no longer than the limit.

    Returns their length before. What is short enough is not touched, and so is what is not finite:
    NaN times anything stays NaN, and a run has to stop there. Clip once a step: behind the last
    part of an accumulated batch, and behind the division by a loss scale, if there is one.
    """
    need_positive("limit", limit)
    gradients = [p.grad for p in parameters if p.grad is not None]
    norm = norm_of(gradients)
    if limit < norm < float("inf"):
        for gradient in gradients:
            gradient.mul_(limit / norm)
    return norm
