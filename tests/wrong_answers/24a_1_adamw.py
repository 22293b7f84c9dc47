"""Wrong answers to 24a.1. A docstring holds the words that only this fault's feedback contains."""


def _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay, late=0, first=1, second=1):
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    m_full = m / (1 - beta1 ** (step - late)) if first else m
    v_full = v / (1 - beta2 ** (step - late)) if second else v
    return [weight * (1 - rate * decay) - rate * m_full / (v_full.sqrt() + eps), m, v]


def l2(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """where Adam divides it away (L2)"""
    return _step(weight, gradient + decay * weight, m, v, step, rate, beta1, beta2, eps, 0.0)


def no_correction(*given):
    """the running means are taken as they are"""
    return _step(*given, first=0, second=0)


def first_uncorrected(*given):
    """m is taken as it is"""
    return _step(*given, first=0)


def second_uncorrected(*given):
    """v is taken as it is"""
    return _step(*given, second=0)


def from_zero(*given):
    """the steps are counted from 0"""
    return _step(*given, late=1)


def one_too_far(*given):
    """the steps are counted one too far"""
    return _step(*given, late=-1)


def eps_inside(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """eps stands under the root"""
    _, m, v = _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay)
    root = (v / (1 - beta2**step) + eps).sqrt()
    return [weight * (1 - rate * decay) - rate * m / (1 - beta1**step) / root, m, v]


def no_eps(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """eps is left out"""
    return _step(weight, gradient, m, v, step, rate, beta1, beta2, 0.0, decay)


def decay_after(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """the decay acts on the weight after the step"""
    new, m, v = _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, 0.0)
    return [new * (1 - rate * decay), m, v]


def decay_without_rate(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """the decay is not times the rate"""
    return _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay / rate)


def no_decay(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """the weight does not decay"""
    return _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, 0.0)


def no_root(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """it divides by v and not by its root"""
    _, m, v = _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay)
    moved = rate * m / (1 - beta1**step) / (v / (1 - beta2**step) + eps)
    return [weight * (1 - rate * decay) - moved, m, v]


def uphill(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """it goes up along the gradient"""
    new, m, v = _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay)
    return [2 * weight * (1 - rate * decay) - new, m, v]


def corrected_kept(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """m is not the running mean of the gradients"""
    new, m, v = _step(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay)
    return [new, m / (1 - beta1**step), v / (1 - beta2**step)]


def sizes(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """v is a mean of sizes, not of squares"""
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient.abs()
    root = (v / (1 - beta2**step)).sqrt() + eps
    return [weight * (1 - rate * decay) - rate * m / (1 - beta1**step) / root, m, v]
