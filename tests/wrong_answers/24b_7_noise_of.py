"""Wrong answers to 24b.7. A docstring holds the words that only this fault's feedback contains."""


def _scale(a, b, few, many):
    true = (many * b - few * a) / (many - few)
    return (a - b) / (1 / few - 1 / many) / true if true > 0 else float("inf")


def _square(x):
    return float(x.square().sum(dim=1).mean())


def square_of_the_mean(small, large, few, many):
    """asked is the mean of the squares"""
    a, b = (float(x.mean(dim=0).square().sum()) for x in (small, large))
    return _scale(a, b, few, many)


def mean_length_squared(small, large, few, many):
    """asked is the mean of the squared lengths"""
    a, b = (float(x.norm(dim=1).mean() ** 2) for x in (small, large))
    return _scale(a, b, few, many)


def upside_down(small, large, few, many):
    """upside down"""
    found = _scale(_square(small), _square(large), few, many)
    return 1 / found if found else float("inf")


def sizes_exchanged(small, large, few, many):
    """the two sizes are exchanged"""
    return _scale(_square(small), _square(large), many, few)


def large_is_true(small, large, few, many):
    """taken for the true one"""
    a, b = _square(small), _square(large)
    return (a - b) / (1 / few - 1 / many) / b


def of_a_batch(small, large, few, many):
    """it is the noise of a small batch, not of one row"""
    return _scale(_square(small), _square(large), few, many) / few


def lengths(small, large, few, many):
    """lengths are not squared"""
    a, b = (float(x.norm(dim=1).mean()) for x in (small, large))
    return _scale(a, b, few, many)


def below_nothing(small, large, few, many):
    """the scale has no sign, it is infinite"""
    a, b = _square(small), _square(large)
    true = (many * b - few * a) / (many - few)
    return (a - b) / (1 / few - 1 / many) / true if true else float("inf")


def nothing_at_infinity(small, large, few, many):
    """the scale is infinite, not 0"""
    found = _scale(_square(small), _square(large), few, many)
    return 0.0 if found == float("inf") else found


def over_the_length(small, large, few, many):
    """the noise is over |G|, not over its square"""
    a, b = _square(small), _square(large)
    true = (many * b - few * a) / (many - few)
    return (a - b) / (1 / few - 1 / many) / true**0.5 if true > 0 else float("inf")
