import torch
import torch.nn.functional as F


def mixture(x, router, experts, k):
    """Return what the k best experts of each token say together, [N, C].

    x: the tokens' states [N, C]. router: [E, C], a row of scores an expert. experts: a list of E
    dicts with "gate" and "widen" [hidden, C] and "narrow" [C, hidden].
    """
    best = (x @ router.T).topk(k, dim=-1)  # [N, k]
    shares = best.values.softmax(dim=-1)
    result = torch.zeros_like(x)
    for number, w in enumerate(experts):
        row, rank = (best.indices == number).nonzero(as_tuple=True)  # who asks this expert
        wide = F.silu(x[row] @ w["gate"].T) * (x[row] @ w["widen"].T)
        result[row] += shares[row, rank, None] * (wide @ w["narrow"].T)
    return result
