import torch


def wrong_outside_the_root(x, scale, shift):
    """1e-5 is added to the root, not inside it; shows where a position's numbers hardly differ

    Feedback: the 1e-5 stands outside the root
    """
    # wrong for: x with a spread of 0.001
    centred = x - x.mean(dim=-1, keepdim=True)
    root = centred.pow(2).mean(dim=-1, keepdim=True).sqrt()
    return centred / (root + 1e-5) * scale + shift


def wrong_mean_of_squares(x, scale, shift):
    """the variance as mean of squares less square of mean, which rounding spoils where the mean is
    large

    Feedback: far from 0 the variance loses its digits: take the differences from the mean first,
    """
    # wrong for: x = 9000 + small numbers: far off, or NaN
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean
    return (x - mean) / (variance + 1e-5).sqrt() * scale + shift


def right_matrix_that_centres(x, scale, shift):
    """centring as a matrix product, in float64"""
    C = x.shape[-1]
    centring = torch.eye(C, dtype=torch.float64) - 1 / C
    centred = x.double() @ centring
    length = torch.linalg.vector_norm(centred, dim=-1, keepdim=True)
    root = torch.hypot(length / C**0.5, torch.tensor(1e-5**0.5, dtype=torch.float64))
    return (centred / root * scale + shift).to(x.dtype)


# STATEMENT: scale and shift of any size? dtype of x (float32, float64)? C of 1 allowed.
