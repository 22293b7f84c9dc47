import torch


def wrong_right_angle_for_any_eps(x, weight, gradient, eps):
    """The gradient is put at right angles to x exactly, which is so for eps = 0 only.

    Feedback: it is put at right angles to x for every eps
    """
    # wrong for: f(torch.tensor([[[1.0, 0.0]]]), torch.ones(2), torch.tensor([[[1.0, 1.0]]]), 0.5)
    # gives [[[[0.0,
    # 1.0]]], [1.0, 0.0]], right [[[[0.5, 1.0]]], [1.0, 0.0]]
    root = (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    pushed = gradient * weight
    along = (pushed * x).sum(dim=-1, keepdim=True) / x.pow(2).sum(dim=-1, keepdim=True).clamp(
        min=1e-30
    )
    return [(pushed - along * x) / root, (gradient * x / root).sum(dim=(0, 1))]


def wrong_weight_left_out_of_the_second_part(x, weight, gradient, eps):
    """The part that comes through the root forgets the weight, so only a weight of ones comes
    out right.

    Feedback: the weight is left out of the part that comes through the root
    """
    # wrong for: f(torch.tensor([[[1.0, 2.0]]]), torch.tensor([1.0, 3.0]), torch.tensor([[[1.0,
    # 1.0]]]), 0.0) gives
    # [[[[0.252982229, 1.13841999]]], [0.632455528, 1.26491106]], right [[[[-0.252982199,
    # 0.1264911]]], [0.632455528,
    # 1.26491106]]
    root = (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    unit = x / root
    return [
        (gradient * weight - unit * (gradient * unit).mean(dim=-1, keepdim=True)) / root,
        (gradient * unit).sum(dim=(0, 1)),
    ]


def wrong_weight_averaged_over_the_batch(x, weight, gradient, eps):
    """The gradient of the weight is summed over positions but averaged over the texts.

    Feedback: the weight's gradient is averaged over the texts
    """
    # wrong for: f(torch.ones(2, 1, 2), torch.ones(2), torch.ones(2, 1, 2), 0.0) gives [[[[0.0,
    # 0.0]], [[0.0, 0.0]]],
    # [1.0, 1.0]], right [[[[0.0, 0.0]], [[0.0, 0.0]]], [2.0, 2.0]]
    root = (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    unit, pushed = x / root, gradient * weight
    return [
        (pushed - unit * (pushed * unit).mean(dim=-1, keepdim=True)) / root,
        (gradient * unit).sum(dim=1).mean(dim=0),
    ]


def right_gradients_pile_up(x, weight, gradient, eps):
    """torch differentiates with the tensors that were given, whose .grad is added to at the next
    call. Right: no two calls here are given the same tensors.
    """
    # wrong for: x, w, g = torch.tensor([[[1.0, 2.0]]]), torch.ones(2), torch.tensor([[[1.0,
    # 0.0]]]); f(x, w, g, 0.0);
    # f(x, w, g, 0.0) gives [[[[1.0119288, -0.505964398]]], [1.26491106, 0.0]], right
    # [[[[0.505964398,
    # -0.252982199]]], [0.632455528, 0.0]]
    with torch.enable_grad():
        x.requires_grad_()
        weight.requires_grad_()
        out = x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * weight
        out.backward(gradient)
    result = [x.grad.clone(), weight.grad.clone()]
    return result


def wrong_weight_by_dividing_the_output(x, weight, gradient, eps):
    """The gradient of the weight is taken from the output divided by the weight, which may be 0.

    Feedback: a weight of 0 gives NaN
    """
    # wrong for: f(torch.tensor([[[1.0, 2.0]]]), torch.tensor([0.0, 1.0]), torch.tensor([[[1.0,
    # 1.0]]]), 0.0) gives
    # [[[[-0.252982199, 0.1264911]]], [nan, 1.26491106]], right [[[[-0.252982199, 0.1264911]]],
    # [0.632455528,
    # 1.26491106]]
    root = (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    unit, pushed = x / root, gradient * weight
    out = unit * weight
    return [
        (pushed - unit * (pushed * unit).mean(dim=-1, keepdim=True)) / root,
        (gradient * out).sum(dim=(0, 1)) / weight,
    ]


def wrong_usual_eps(x, weight, gradient, eps):
    """The eps is always 1e-5.

    Feedback: it has an eps of its own
    """
    # wrong for: f(torch.tensor([[[0.001, 0.002]]]), torch.ones(2), torch.tensor([[[1.0, 0.0]]]),
    # 1e-6) gives
    # [[[[271.528992, -22.6274185]]], [0.282842726, 0.0]], right [[[[458.162109, -152.720703]]],
    # [0.534522474, 0.0]]
    root = (x.pow(2).mean(dim=-1, keepdim=True) + 1e-5).sqrt()
    unit, pushed = x / root, gradient * weight
    return [
        (pushed - unit * (pushed * unit).mean(dim=-1, keepdim=True)) / root,
        (gradient * unit).sum(dim=(0, 1)),
    ]


def right_matrix_of_derivatives(x, weight, gradient, eps):
    """In float64: the whole C x C matrix of derivatives at each position, applied by einsum."""
    B, T, C = x.shape
    v, g, w = x.double(), gradient.double(), weight.double()
    inverse = torch.rsqrt(v.pow(2).mean(dim=-1) + eps)  # [B, T]
    outer = torch.einsum("bti,btj,bt->btij", v, v, inverse**3 / C)
    unit = torch.eye(C, dtype=torch.float64) * inverse[..., None, None]
    back = torch.einsum("bti,i,btij->btj", g, w, unit - outer)
    return [back.to(x.dtype), torch.einsum("btc,btc,bt->c", g, v, inverse).to(weight.dtype)]


def right_torch_differentiates(x, weight, gradient, eps):
    """torch.autograd.grad on copies, in float64."""
    with torch.enable_grad():
        v, w = (t.detach().double().clone().requires_grad_() for t in (x, weight))
        out = torch.nn.functional.rms_norm(v, w.shape, w, eps)
        pair = torch.autograd.grad(out, (v, w), grad_outputs=gradient.double())
    return [grad.to(old.dtype) for grad, old in zip(pair, (x, weight), strict=True)]


# STATEMENT: "at right angles to x" stands there as something that must hold, and only the bracket
# says eps = 0:
# a reader may make it hold for every eps. "A list of two": whether a tuple passes is open. A
# position of zeros with
# eps = 0, other types than float32, and whether the given tensors may be changed (requires_grad_)
# are open.
