import torch
import torch.nn.functional as F


def mixture(x, router, experts, k):
    """All experts answer; those that were not chosen get the share 0."""
    scores = x @ router.T
    last = scores.topk(k, dim=-1).values[:, -1:]  # the k-th best score of each token
    shares = scores.masked_fill(scores < last, float("-inf")).softmax(dim=-1)
    stacked = {name: torch.stack([w[name] for w in experts]) for name in experts[0]}
    gate = torch.einsum("nc,ehc->neh", x, stacked["gate"])
    wide = F.silu(gate) * torch.einsum("nc,ehc->neh", x, stacked["widen"])
    return torch.einsum("neh,ech,ne->nc", wide, stacked["narrow"], shares)
