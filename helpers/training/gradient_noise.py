"""How much batches differ in what they ask for: the gradient noise scale.

A batch's gradient is the true one plus noise, and the noise's variance falls as one over the batch.
The batch at which both are equally long says how far larger batches help: well below it, twice the
batch is worth twice the steps; well above it, nothing. Source: McCandlish et al. 2018.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from jaxtyping import Float
from torch import Tensor

from helpers.decoder.model import Decoder
from helpers.needs import need_int
from helpers.training.loop import next_token_loss


def row_gradients(model: Decoder, rows: Sequence[Sequence[int]]) -> Float[Tensor, "n P"]:
    """The gradient of each row's mean loss alone, all weights as one vector. Rows of one length.

    The model's own gradients are gone afterwards.
    """
    found = []
    for row in torch.tensor(rows):
        model.zero_grad(set_to_none=True)
        next_token_loss(model(row[None]), row[None]).backward()
        found.append(torch.cat([p.grad.flatten() for p in model.parameters()]))
    model.zero_grad(set_to_none=True)
    return torch.stack(found)


def noise_scale(gradients: Float[Tensor, "n P"]) -> float:
    """The summed variance of rows' gradients over the squared length of their mean, in rows.

    All rows that there are, equally likely: so this is exact.
    """
    mean = gradients.mean(dim=0)
    return float((gradients - mean).square().sum(dim=1).mean() / mean.square().sum())


def estimated_noise_scale(small: float, large: float, few: int, many: int) -> float:
    """The same from batches alone, in rows: from the mean squared length of the gradients of
    batches of `few` rows and of `many` rows.

    A batch of B rows has on average |G|^2 + variance / B: two sizes, two equations. Raises
    ValueError unless 0 < few < many. Infinity if the true gradient comes out as nothing.
    """
    need_int("few", few, 1)
    need_int("many", many, few + 1)
    true = (many * large - few * small) / (many - few)
    variance = (small - large) / (1 / few - 1 / many)
    return variance / true if true > 0 else float("inf")
