"""What several checks of lesson 20 need."""

import torch


def normal(draw: torch.Generator, *shape: int) -> torch.Tensor:
    """Return float32 numbers around 0."""
    return torch.randn(shape, generator=draw)


def routed(scores: torch.Tensor, k: int, fault: str = "") -> torch.Tensor:
    """Return each expert's share for each token [N, E] in float64, with a known fault if named."""
    scores = scores.double()
    best = scores.topk(k, dim=-1).indices
    if fault == "lowest":
        best = (-scores).topk(k, dim=-1).indices
    kept = torch.zeros_like(scores).scatter(-1, best, 1.0)
    if fault == "equal":
        return kept / k
    if fault == "all":
        return scores.softmax(dim=-1)
    if fault == "not renormalised":
        return scores.softmax(dim=-1) * kept
    if fault == "over tokens":
        return scores.masked_fill(kept == 0, -torch.inf).softmax(dim=0).nan_to_num()
    if fault == "raw scores":
        return scores * kept
    if fault == "zeros, not -inf":
        return (scores * kept).softmax(dim=-1)
    if fault == "only the best":
        return torch.zeros_like(scores).scatter(-1, best[:, :1], 1.0)
    return scores.masked_fill(kept == 0, -torch.inf).softmax(dim=-1)


ROUTE_FAULTS = {
    "all": "all experts answer, each with its share: only the k best are asked",
    "not renormalised": "the softmax is over all experts: the shares of the best do not sum to 1",
    "zeros, not -inf": "experts that are not chosen have a share: hide them by minus infinity",
    "lowest": "the lowest scores are chosen",
    "equal": "all chosen experts have the same share",
    "over tokens": "the softmax runs over the tokens, not over the experts",
    "raw scores": "the shares are the scores themselves: the softmax is missing",
    "only the best": "only the best expert is asked",
}
