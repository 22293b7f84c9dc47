import torch


def unmoved(weights, steps):
    """One weight after the other, the sum in float64 and rounded."""
    lost = made = 0
    for w, s in zip(
        weights.to(torch.bfloat16).tolist(), steps.to(torch.bfloat16).tolist(), strict=True
    ):
        if s == 0:
            continue
        made += 1
        total = torch.tensor(w + s, dtype=torch.float64)
        lost += total.to(torch.bfloat16).item() == w
    return lost / made if made else 0.0
