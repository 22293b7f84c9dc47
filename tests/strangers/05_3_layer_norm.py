import torch


def wrong_divided_by_C_less_one(x, scale, shift):
    """The variance is divided by C - 1, torch's own way for std and var.

    Feedback: the variance is divided by C - 1, not by C
    """
    # wrong for: f(torch.tensor([[[1.0, 3.0]]]), torch.ones(2), torch.zeros(2)) gives
    # [[[-0.707104981,
    # 0.707104981]]], right [[[-0.999994993, 0.999994993]]]
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (x.var(dim=-1, keepdim=True) + 1e-5).sqrt() * scale + shift


def wrong_small_number_outside_the_root(x, scale, shift):
    """The 1e-5 is added to the standard deviation, outside the root, which shows for small numbers.

    Feedback: the 1e-5 stands outside the root
    """
    # wrong for: f(torch.tensor([[[1e-3, -1e-3]]]), torch.ones(2), torch.zeros(2)) gives
    # [[[0.990099072,
    # -0.990099072]]], right [[[0.301511347, -0.301511347]]]
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.pow(2).mean(dim=-1, keepdim=True).sqrt() + 1e-5) * scale + shift


def wrong_mean_of_squares_less_square_of_mean(x, scale, shift):
    """The variance is the mean of squares less the square of the mean, which a large constant
    ruins.

    Feedback: the variance loses its digits
    """
    # wrong for: f(torch.tensor([[[10001.0, 9999.0, 10000.0]]]), torch.ones(3),
    # torch.zeros(3)) gives [[[316.227783,
    # -316.227783, 0.0]]], right [[[1.22473574, -1.22473574, -1.35972981e-16]]]
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x.pow(2).mean(dim=-1, keepdim=True) - mean.pow(2)).clamp(min=0)
    return (x - mean) / (variance + 1e-5).sqrt() * scale + shift


def wrong_shift_is_scaled_too(x, scale, shift):
    """The shift is added before the scale is applied.

    Feedback: the shift is added before the scale is applied
    """
    # wrong for: f(torch.tensor([[[1.0, -1.0]]]), torch.tensor([2.0, 2.0]), torch.tensor([1.0,
    # 1.0])) gives
    # [[[3.99998999, 1.00135803e-05]]], right [[[2.99998999, -0.999989986]]]
    centred = x - x.mean(dim=-1, keepdim=True)
    return (centred / (centred.pow(2).mean(dim=-1, keepdim=True) + 1e-5).sqrt() + shift) * scale


def wrong_nothing_in_the_root(x, scale, shift):
    """Nothing stands inside the root; the NaN of equal numbers is set to 0 afterwards.

    Feedback: the 1e-5 is missing
    """
    # wrong for: f(torch.tensor([[[1e-3, -1e-3]]]), torch.ones(2), torch.zeros(2)) gives
    # [[[1.0, -1.0]]], right
    # [[[0.301511347, -0.301511347]]]
    centred = x - x.mean(dim=-1, keepdim=True)
    size = centred.pow(2).mean(dim=-1, keepdim=True).sqrt()
    return (centred / size).nan_to_num(0.0) * scale + shift


def wrong_one_size_for_the_text(x, scale, shift):
    """Each position has its own mean, but the size is that of the whole text.

    Feedback: one variance is taken for the whole text
    """
    # wrong for: f(torch.tensor([[[1.0, -1.0], [3.0, -3.0]]]), torch.ones(2), torch.zeros(2))
    # gives [[[0.447213173,
    # -0.447213173], [1.34163952, -1.34163952]]], right [[[0.999994993, -0.999994993],
    # [0.999999464, -0.999999464]]]
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.pow(2).mean(dim=(-2, -1), keepdim=True) + 1e-5).sqrt() * scale + shift


def right_matrix_that_centres(x, scale, shift):
    """Subtract the mean by a matrix product in float64, and measure by a norm."""
    C = x.shape[-1]
    centring = torch.eye(C, dtype=torch.float64) - 1 / C
    centred = (x.double() - x.double()[..., :1]) @ centring
    size = torch.hypot(
        centred.norm(dim=-1, keepdim=True) / C**0.5, torch.tensor(1e-5).double().sqrt()
    )
    return torch.addcmul(shift.double(), centred / size, scale.double()).to(x.dtype)


def right_biased_variance_of_torch(x, scale, shift):
    """Distances from the first number, torch's var_mean uncorrected, and a reciprocal root."""
    far = x - x[:, :, :1]
    variance, mean = torch.var_mean(far, dim=2, correction=0, keepdim=True)
    return shift + scale * ((far - mean) * torch.rsqrt(variance + 1e-5))


# STATEMENT: the exercise does not repeat the 1e-5 inside the root, nor that the variance divides
# by C;
# both stand in the lesson only ("almost nothing" for times 3 holds for ordinary sizes, not for
# 1e-4).
# Large equal numbers (1e6 + 0.3, three times) come out far from the shift with a plain float32
# mean,
# whose rounding the small root enlarges; "gives the shift" is said for every vector of equal
# numbers.
# "Adding one constant must change nothing" has no tolerance and no limit (1e8 loses float32
# digits).
