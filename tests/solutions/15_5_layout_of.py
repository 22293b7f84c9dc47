import torch


def layout_of(x, turned):
    """Return "pairs", "halves", "both" or "neither" for vectors x [T, D] and what became of them.

    Positions and base are unknown; no number is beyond 6. A turn leaves
    a * a + b * b of its two lanes as it was.
    """
    T, D = x.shape

    def keeps(axis, shape):
        before, after = (v.reshape(shape).pow(2).sum(dim=axis) for v in (x, turned))
        return torch.allclose(before, after, atol=1e-4)

    pairs = keeps(2, (T, D // 2, 2))
    halves = keeps(1, (T, 2, D // 2))
    if pairs and halves:
        return "both"
    if pairs:
        return "pairs"
    return "halves" if halves else "neither"
