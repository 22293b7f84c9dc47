def wrong_square_mean_less_mean_square(x, scale, shift):
    """Takes the variance as the mean of squares less the square of the mean: for numbers near
    10,000 that lie close together nothing of it is left.

    Feedback: far from 0 the variance loses its digits: take the differences from the mean
    """
    # wrong for: f([[[10000., 10000.1, 10000.2]]], ones, zeros) is far off, right about -1.22, 0, 1.22
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x.pow(2).mean(dim=-1, keepdim=True) - mean.pow(2)).clamp(min=0)
    return (x - mean) / (variance + 1e-5).sqrt() * scale + shift


def wrong_at_least_1e_5(x, scale, shift):
    """Uses 1e-5 as the least variance in place of adding it: small vectors come out too long.

    Feedback: the 1e-5 is missing
    """
    # wrong for: f([[[-0.004, 0.004]]], ones, zeros) gives -1, 1, right -0.784, 0.784
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.square().mean(dim=-1, keepdim=True)
    return centred / variance.clamp(min=1e-5).sqrt() * scale + shift
