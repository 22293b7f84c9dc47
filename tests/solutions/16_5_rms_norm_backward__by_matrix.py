import torch


def rms_norm_backward(x, weight, gradient, eps):
    """One position at a time: the matrix of all derivatives, C by C, times what arrives."""
    C = x.shape[-1]
    for_x, for_weight = torch.zeros_like(x), torch.zeros_like(weight)
    for b in range(x.shape[0]):
        for t in range(x.shape[1]):
            v, up = x[b, t], gradient[b, t]
            square = v @ v / C + eps
            jacobian = torch.eye(C) / square**0.5 - torch.outer(v, v) / (C * square**1.5)
            for_x[b, t] = jacobian @ (up * weight)
            for_weight += up * v / square**0.5
    return [for_x, for_weight]
