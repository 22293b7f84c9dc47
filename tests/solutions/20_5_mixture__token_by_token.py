import torch


def mixture(x, router, experts, k):
    """One token at a time, in float64."""
    rows = []
    for state in x.double():
        scores = router.double() @ state
        order = scores.argsort(descending=True)[:k].tolist()
        total = sum(torch.exp(scores[e] - scores[order[0]]) for e in order)
        said = torch.zeros_like(state)
        for e in order:
            gate, widen, narrow = (experts[e][n].double() for n in ("gate", "widen", "narrow"))
            bent = gate @ state
            answer = narrow @ (bent * torch.sigmoid(bent) * (widen @ state))
            said += torch.exp(scores[e] - scores[order[0]]) / total * answer
        rows.append(said)
    return torch.stack(rows)
