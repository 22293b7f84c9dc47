import torch


def top_p(logits, p):
    """Keep the fewest likeliest words that together have probability p or more: [..., V].

    logits: [..., V] float, -inf may stand in it. p: from 0 to 1. Removed words get -inf, the others
    keep their logit. Of equal logits, lower ids first. p = 1 removes nothing.
    """
    if p == 1:
        return logits
    order = logits.sort(dim=-1, descending=True, stable=True).indices  # equal ones by id
    ordered = logits.double().softmax(dim=-1).gather(-1, order)  # [..., V], the likeliest first
    before = ordered.cumsum(dim=-1) - ordered  # what the likelier ones have together
    keep = before < p
    keep[..., 0] = True  # the likeliest stays, also for p = 0
    keep = torch.zeros_like(keep).scatter(-1, order, keep)  # back to the order of ids
    return logits.masked_fill(~keep, float("-inf"))
