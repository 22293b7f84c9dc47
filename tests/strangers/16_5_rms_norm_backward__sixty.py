import torch


def wrong_made_a_right_angle(x, weight, gradient, eps):
    """Takes away all of the gradient that points along x, as is right for eps = 0: for a tiny x
    too much, and for x = 0 it is 0 / 0.

    Feedback: it is put at right angles to x for every eps: that holds for eps = 0 only
    """
    # wrong for: x = 0 gives nan, right gradient * weight / sqrt(eps)
    root = (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    inner = gradient * weight
    along = (inner * x).sum(dim=-1, keepdim=True) / x.pow(2).sum(dim=-1, keepdim=True)
    return [(inner - along * x) / root, (gradient * x / root).sum(dim=(0, 1))]


def wrong_own_eps(x, weight, gradient, eps):
    """Always calculates with 1e-5, as in the lesson, whatever eps is given.

    Feedback: twice as long an x does not get half of it
    """
    # wrong for: x = 0, weight = gradient = 1, eps = 1.0 gives 316, right 1
    scale = torch.rsqrt(x.square().mean(dim=-1, keepdim=True) + 1e-5)
    normed = x * scale
    inner = gradient * weight
    for_x = scale * (inner - normed * (inner * normed).mean(dim=-1, keepdim=True))
    return [for_x, torch.einsum("btc,btc->c", gradient, normed)]
