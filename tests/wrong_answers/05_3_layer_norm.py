"""Wrong answers to 05.3. A docstring holds the words that only this fault's feedback contains."""


def _norm(x, dim=-1, unbiased=False):
    variance = x.var(dim=dim, keepdim=True, unbiased=unbiased)
    return (x - x.mean(dim=dim, keepdim=True)) / (variance + 1e-5).sqrt()


def unbiased(x, scale, shift):
    """divided by C - 1, not by C"""
    return _norm(x, unbiased=True) * scale + shift


def over_the_text(x, scale, shift):
    """a position changes with another one"""
    return _norm(x, dim=1) * scale + shift


def outside_the_root(x, scale, shift):
    """the 1e-5 stands outside the root"""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.pow(2).mean(dim=-1, keepdim=True).sqrt() + 1e-5) * scale + shift


def divides_by_zero(x, scale, shift):
    """0 is divided by 0"""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / centred.pow(2).mean(dim=-1, keepdim=True).sqrt() * scale + shift


def mean_stays(x, scale, shift):
    """the mean is not subtracted"""
    return x / (x.pow(2).mean(dim=-1, keepdim=True) + 1e-5).sqrt() * scale + shift


def no_root(x, scale, shift):
    """it divides by the variance, not by its root"""
    centred = x - x.mean(dim=-1, keepdim=True)
    return centred / (centred.pow(2).mean(dim=-1, keepdim=True) + 1e-5) * scale + shift


def shift_first(x, scale, shift):
    """the shift is added before the scale"""
    return (_norm(x) + shift) * scale


def no_scale_no_shift(x, scale, shift):
    """scale and shift are not applied"""
    return _norm(x)


def difference_of_squares(x, scale, shift):
    """variance loses its digits"""
    mean = x.mean(dim=-1, keepdim=True)
    variance = (x * x).mean(dim=-1, keepdim=True) - mean * mean
    return (x - mean) / (variance + 1e-5).sqrt() * scale + shift


def one_variance_for_the_text(x, scale, shift):
    """for the whole text: each position has its own"""
    centred = x - x.mean(dim=-1, keepdim=True)
    variance = centred.pow(2).mean(dim=(-2, -1), keepdim=True)
    return centred / (variance + 1e-5).sqrt() * scale + shift
