import torch
import torch.nn.functional as F


def _candidates(x, weight, eps=1e-5):
    x, weight = x.double(), weight.double()
    centred = x - x.mean(dim=-1, keepdim=True)
    rms = x / (x.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt()
    return {
        "layer": centred / (centred.pow(2).mean(dim=-1, keepdim=True) + eps).sqrt() * weight,
        "rms": rms * weight,
        "one_plus_rms": rms * (1 + weight),
    }


def _scale(y):
    return float(y.abs().max()) if y.numel() else 0.0


def wrong_divided_by_the_weight(x, weight, y):
    """The output is divided by the weight and compared with the bare norms, so a weight of 0
    spoils all.

    Feedback: nothing is divided by the weight
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 4.0]]), torch.tensor([1.0, 0.0, 2.0]),
    # torch.tensor([[0.37796414, 0.0,
    # 3.0237131]])) gives 'other', right 'rms'
    for name, made in _candidates(x, torch.ones_like(weight)).items():
        if name != "one_plus_rms" and torch.allclose(
            y.double() / weight.double(), made, rtol=1e-4, atol=1e-5
        ):
            return name
    bare = _candidates(x, torch.ones_like(weight))["rms"]
    return (
        "one_plus_rms"
        if torch.allclose(y.double() / (1 + weight.double()), bare, rtol=1e-4, atol=1e-5)
        else "other"
    )


def wrong_eps_left_out(x, weight, y):
    """The candidates are counted without the 1e-5, so a tiny vector fits none of them.

    Feedback: mind eps
    """
    # wrong for: f(torch.tensor([[0.001, -0.002, 0.003]]), torch.ones(3),
    # torch.tensor([[0.26111648, -0.52223297,
    # 0.78334945]])) gives 'other', right 'rms'
    for name, made in _candidates(x, weight, 1e-12).items():
        if (made - y.double()).abs().max() <= 1e-3 * _scale(y):
            return name
    return "other"


def wrong_error_on_average(x, weight, y):
    """The mean error over all positions must be small, so one wrong position in a long text gets
    through.

    Feedback: most positions that agree are taken for all of them
    """
    # wrong for: x = torch.arange(4000.0).view(1000, 4) % 7 - 2; y = x / (x.pow(2).mean(dim=1,
    # keepdim=True) +
    # 1e-5).sqrt(); y[500] *= 1.5; f(x, torch.ones(4), y) gives 'rms', right 'other'
    for name, made in _candidates(x, weight).items():
        if (made - y.double()).abs().mean() <= 1e-3 * _scale(y):
            return name
    return "other"


def wrong_one_per_cent_is_near_enough(x, weight, y):
    """A hundredth off counts as equal, so eps outside the root or a scaled norm is taken for one
    of the three.

    Feedback: differences of more than 0.001 count
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 4.0]]), torch.ones(3), torch.tensor([[0.3802, 0.7604,
    # 1.5208]])) gives
    # 'rms', right 'other'
    for name, made in _candidates(x, weight).items():
        if (made - y.double()).abs().max() <= 1e-2 * _scale(y):
            return name
    return "other"


def right_tolerance_fixed_for_any_weight(x, weight, y):
    """A fixed tolerance of 0.0001, so with tiny weights every output looks like the first
    candidate. Right: another norm differs by more than 0.001 somewhere.
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 4.0]]), torch.full((3,), 1e-5),
    # torch.tensor([[3.7796414e-6, 7.5592828e-6,
    # 1.5118566e-5]])) gives 'layer', right 'rms'
    for name, made in _candidates(x, weight).items():
        if torch.allclose(made, y.double(), rtol=1e-4, atol=1e-4):
            return name
    return "other"


def wrong_one_plus_told_by_the_weight(x, weight, y):
    """Weights near 0 are taken for distances from 1, and the output is compared with that form
    only.

    Feedback: an RMSNorm by 1 + weight is not recognised
    """
    # wrong for: f(torch.tensor([[1.0, 2.0, 4.0]]), torch.full((3,), 0.1),
    # torch.tensor([[0.037796414, 0.075592828,
    # 0.15118566]])) gives 'other', right 'rms'
    made = _candidates(x, weight)
    names = ("layer", "one_plus_rms" if weight.abs().mean() < 0.5 else "rms")
    for name in names:
        if (made[name] - y.double()).abs().max() <= 1e-4 * _scale(y):
            return name
    return "other"


def right_torch_s_own_norms(x, weight, y):
    """torch's ready norms in float64, compared position by position with that position's own
    size.
    """
    x, weight, y = x.double(), weight.double(), y.double()
    made = {
        "layer": F.layer_norm(x, weight.shape, weight, None, 1e-5),
        "rms": F.rms_norm(x, weight.shape, weight, 1e-5),
        "one_plus_rms": F.rms_norm(x, weight.shape, weight + 1, 1e-5),
    }
    sizes = {name: out.abs().amax(dim=-1, keepdim=True) for name, out in made.items()}
    fits = (
        name for name in made if bool(((made[name] - y).abs() <= 1e-4 * sizes[name] + 1e-12).all())
    )
    return next(fits, "other")


def right_lists_position_by_position(x, weight, y):
    """Plain numbers: the names that are left after each position."""
    left = ["layer", "rms", "one_plus_rms"]
    w = weight.tolist()
    for row, out in zip(x.tolist(), y.tolist(), strict=True):
        C, mean = len(row), sum(row) / len(row)
        root = (sum(v * v for v in row) / C + 1e-5) ** 0.5
        spread = (sum((v - mean) ** 2 for v in row) / C + 1e-5) ** 0.5
        made = {
            "layer": [(v - mean) / spread * s for v, s in zip(row, w, strict=True)],
            "rms": [v / root * s for v, s in zip(row, w, strict=True)],
            "one_plus_rms": [v / root * (1 + s) for v, s in zip(row, w, strict=True)],
        }
        size = max(map(abs, out))
        left = [
            n
            for n in left
            if all(abs(a - b) <= 1e-4 * size + 1e-12 for a, b in zip(made[n], out, strict=True))
        ]
    return left[0] if left else "other"


# STATEMENT: what to say when two fit (vectors whose mean is 0: "layer" and "rms"; vectors of
# zeros: all) is not
# defined. "Last digits differ" gives no tolerance: how far off is still equal, absolute or
# relative, and to what?
# Tiny weights and large means (float32 then loses digits of the centred vector) make that matter.
