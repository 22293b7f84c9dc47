def unmoved(weights, steps):
    """Return the share of steps that are lost in bfloat16, a float from 0 to 1.

    weights, steps: float32 tensors of shape [n].
    """
    w, s = weights.bfloat16(), steps.bfloat16()
    counted = s != 0
    if not counted.any():
        return 0.0
    return (w + s == w)[counted].float().mean().item()
