import torch


def rms_norm_backward(x, weight, gradient, eps):
    """Let torch differentiate: right, and nothing is learned from it."""
    with torch.enable_grad():
        x, weight = x.clone().requires_grad_(), weight.clone().requires_grad_()
        y = x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * weight
    return list(torch.autograd.grad(y, (x, weight), gradient))
