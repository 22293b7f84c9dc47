import torch
import torch.nn.functional as F


def wrong_eps_as_a_floor(x, weight, eps, one_plus):
    """The mean square is held above eps, and eps is not added to it.

    Feedback: the mean square is held above eps
    """
    # wrong for: f(torch.full((2,), 1e-3), torch.ones(2), 1e-6, False) gives [1.0, 1.0], right
    # [0.707106769,
    # 0.707106769]
    wide = x.float()
    new = wide / wide.pow(2).mean(dim=-1, keepdim=True).clamp(min=eps).sqrt()
    return (new * (1 + weight if one_plus else weight)).to(x.dtype)


def wrong_squared_before_widening(x, weight, eps, one_plus):
    """The squares are still counted in 16 bits, and only their mean in 32.

    Feedback: 16-bit squares overflow or vanish
    """
    # wrong for: f(torch.full((2,), 300.0).half(), torch.ones(2), 1e-5, False) gives [0.0, 0.0]
    # (float16), right [1.0,
    # 1.0] (float16)
    mean = x.pow(2).float().mean(dim=-1, keepdim=True)
    new = x.float() / (mean + eps).sqrt()
    return (new * (1 + weight if one_plus else weight)).to(x.dtype)


def wrong_comes_back_in_float32(x, weight, eps, one_plus):
    """A 16-bit vector is counted in 32 bits and never changed back.

    Feedback: 16-bit numbers went in, and others came back
    """
    # wrong for: f(torch.full((2,), 2.0).half(), torch.ones(2), 1e-5, False) gives [0.999998808,
    # 0.999998808], right
    # [1.0, 1.0] (float16)
    wide = x.float()
    new = wide * torch.rsqrt(wide.square().mean(dim=-1, keepdim=True) + eps)
    return new * (weight + 1 if one_plus else weight)


def wrong_adds_one_for_good(x, weight, eps, one_plus):
    """The 1 is added to the weight that was given, so the next call finds it there.

    Feedback: it changed what it was given
    """
    # wrong for: w = torch.zeros(2); f(torch.ones(2), w, 0.0, True); f(torch.ones(2), w, 0.0, True)
    # gives [2.0, 2.0],
    # right [1.0, 1.0]
    if one_plus:
        weight += 1
    wide = x.float()
    return (wide * (wide.pow(2).mean(dim=-1, keepdim=True) + eps).rsqrt() * weight).to(x.dtype)


def wrong_over_all_axes_but_the_first(x, weight, eps, one_plus):
    """With three axes or more the mean square is that of the whole text, and not of one
    position.

    Feedback: the mean belongs to one vector
    """
    # wrong for: f(torch.tensor([[[1.0, 1.0], [2.0, 2.0]]]), torch.ones(2), 0.0, False) gives
    # [[[0.632455528,
    # 0.632455528], [1.26491106, 1.26491106]]], right [[[1.0, 1.0], [1.0, 1.0]]]
    wide = x.float()
    axes = tuple(range(1, x.dim())) or (0,)
    new = wide / (wide.pow(2).mean(dim=axes, keepdim=True) + eps).sqrt()
    return (new * (1 + weight if one_plus else weight)).to(x.dtype)


def wrong_weight_in_sixteen_bits(x, weight, eps, one_plus):
    """The weight is rounded to x's type before it is used.

    Feedback: the weight is rounded to 16 bits
    """
    # wrong for: f(torch.tensor([0.01, 1.0]).half(), torch.tensor([100000.0, 1.0]), 1e-5, False)
    # gives [inf,
    # 1.4140625] (float16), right [1414.0, 1.4140625] (float16)
    wide = x.float()
    new = wide / (wide.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    weight = weight.to(x.dtype)
    return (new * (1 + weight if one_plus else weight).float()).to(x.dtype)


def right_torch_s_own(x, weight, eps, one_plus):
    """torch's ready function, on float32 numbers."""
    return F.rms_norm(x.float(), weight.shape, weight=weight + bool(one_plus), eps=eps).to(x.dtype)


def right_long_side_of_a_triangle(x, weight, eps, one_plus):
    """In float64: the root of a sum of squares is a triangle's long side."""
    wide = x.double()
    size = torch.linalg.vector_norm(wide, dim=-1, keepdim=True) / x.shape[-1] ** 0.5
    side = torch.hypot(size, torch.full_like(size, eps).sqrt())
    return torch.mul(wide / side, weight.double() + int(one_plus)).to(x.dtype)


# STATEMENT: "counted in 32 bits inside": whether float64 inside is allowed, and where the change
# back to 16 bits
# stands (before or after the weight: Llama's code and this lesson's differ by a digit), is open.
# float32 numbers
# over 1e19 overflow in float32 and not in float64. bfloat16 is not named. eps = 0 with a vector of
# zeros is open.
