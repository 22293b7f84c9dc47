import math

import torch.nn.functional as F


def leaky_positions(logits, tokens):
    """Return the positions that know their next token, as a list of ints in order.

    logits: [N, T, V]. tokens: [N, T], drawn evenly and independently from V.
    """
    losses = F.cross_entropy(
        logits[:, :-1].transpose(1, 2), tokens[:, 1:], reduction="none"
    )  # [N, T - 1]
    bound = math.log(logits.shape[-1]) - 0.5
    return (losses.mean(dim=0) < bound).nonzero().flatten().tolist()
