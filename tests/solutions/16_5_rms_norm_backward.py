import torch


def rms_norm_backward(x, weight, gradient, eps):
    """Return [gradient of x [B, T, C], gradient of weight [C]] of an RMSNorm.

    gradient: that of its output, [B, T, C].
    """
    r = torch.rsqrt(x.pow(2).mean(dim=-1, keepdim=True) + eps)  # [B, T, 1]
    g = gradient * weight
    # x acts directly, and through r, which all columns of a position share
    for_x = r * (g - x * r.pow(2) * (g * x).mean(dim=-1, keepdim=True))
    for_weight = (gradient * x * r).sum(dim=(0, 1))  # every position used the same weight
    return [for_x, for_weight]
