import torch


def rms_norm(x, weight, eps, one_plus):
    """Return the RMSNorm of x [..., C] in x's own dtype; weight [C], eps a float above 0.

    one_plus: whether the vector is multiplied by 1 + weight, and not by weight.
    """
    exact = x.float()  # 300 squared is too large for 16 bits
    mean_square = exact.pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
    scale = 1 + weight if one_plus else weight
    return (exact * torch.rsqrt(mean_square + eps) * scale).to(x.dtype)
