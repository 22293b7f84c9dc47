import math

import torch


def gated(x, weights, kind):
    """The bends written out, in float64, the products by einsum."""
    x, weights = x.double(), {name: matrix.double() for name, matrix in weights.items()}
    wide = torch.einsum("btc,hc->bth", x, weights["widen"])
    gate = wide if kind == "gelu" else torch.einsum("btc,hc->bth", x, weights["gate"])
    share = 1 / (1 + (-gate).exp())
    if kind != "swiglu":
        share = (1 + torch.erf(gate / math.sqrt(2))) / 2
    bent = gate * share
    return torch.einsum("bth,ch->btc", bent if kind == "gelu" else bent * wide, weights["narrow"])
