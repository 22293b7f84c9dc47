import torch


def which_norm(x, weight, y):
    """Return which norm made y [T, C] of x [T, C]: "layer", "rms", "one_plus_rms" or "other"."""

    def normed(vectors):
        return vectors * torch.rsqrt(vectors.pow(2).mean(dim=-1, keepdim=True) + 1e-5)

    candidates = {
        "layer": normed(x - x.mean(dim=-1, keepdim=True)) * weight,
        "rms": normed(x) * weight,
        "one_plus_rms": normed(x) * (1 + weight),
    }
    for name, candidate in candidates.items():
        if torch.allclose(candidate, y, atol=1e-4):
            return name
    return "other"
