def clipped(gradients, limit):
    """Return {"norm", "gradients"}: the length before, and new tensors."""
    norm = sum((g**2).sum() for g in gradients).sqrt()
    factor = limit / norm if norm > limit else 1.0
    return {"norm": float(norm), "gradients": [g * factor for g in gradients]}
