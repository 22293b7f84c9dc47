import torch


def adamw(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """Return [weight, m, v] after one step of AdamW, as new tensors."""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    # both began at zero: step t has collected 1 - beta^t of a whole mean
    m_full = m / (1 - beta1**step)
    v_full = v / (1 - beta2**step)
    shrunk = weight * (1 - rate * decay)
    return [shrunk - rate * m_full / (torch.sqrt(v_full) + eps), m, v]
