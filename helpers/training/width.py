"""One learning rate for every width: rates and first weights that follow the number of inputs.

In a wider model each output is a sum of more numbers, and Adam moves every weight of the sum in one
direction. So a step of one rate changes the outputs of a wide model more. Give each matrix a rate
that falls as one over its inputs, and a step changes the outputs of all widths alike. Source: Yang
et al. 2022, in the form for Adam (table 8 there).
"""

from __future__ import annotations

import torch

from helpers.decoder.model import Decoder
from helpers.needs import need_int


def width_factors(model: Decoder, base: int) -> list[float]:
    """A factor on the rate for each of model.parameters(): base / width for matrices, else 1.

    base: the width for which the rate was found. The token embedding has one input at a time, of
    whatever width it is; vectors, as a norm's, are a factor for each lane. Raises ValueError for a
    head that is the embedding: it would want two rates.
    """
    need_int("base", base, 1)
    if model.config.tied_head:
        raise ValueError("the head is the token embedding, and one matrix cannot have two rates")
    looked_up = {"token_embedding.weight", "position_embedding.weight"}
    return [
        1.0 if name in looked_up or p.ndim < 2 else base / model.config.width
        for name, p in model.named_parameters()
    ]


@torch.no_grad()
def start_for_width(model: Decoder, base: int) -> None:
    """Make the head's first weights smaller by the root of width / base, in place.

    First weights are as one over the root of the inputs. In the head that is too large: what it
    learns goes along with its inputs, so its first logits should be smaller in a wider model.
    """
    model.head.weight *= (base / model.config.width) ** 0.5
