def scaler_step(scale, good, gradients, grow_after):
    """Return [new factor, new count, gradients or None].

    scale: the factor, 1 or more. good: good steps in a row so far, below grow_after.
    gradients: list of float tensors of any shapes, as the backward pass left them.
    """
    if not all(g.isfinite().all() for g in gradients):
        return [max(1.0, scale / 2), 0, None]
    unscaled = [g / scale for g in gradients]
    if good + 1 == grow_after:
        return [2 * scale, 0, unscaled]
    return [scale, good + 1, unscaled]
