"""Wrong answers to 24b.2. A docstring holds the words that only this fault's feedback contains."""


def zeros_counted(weights, steps):
    """steps of 0 are counted"""
    w = weights.bfloat16()
    return (w + steps.bfloat16() == w).float().mean().item()


def of_all_weights(weights, steps):
    """it is a share of all weights"""
    w, s = weights.bfloat16(), steps.bfloat16()
    return ((w + s == w) & (s != 0)).float().mean().item()


def kept(weights, steps):
    """it is the share of the steps that are not lost"""
    w, s = weights.bfloat16(), steps.bfloat16()
    some = s != 0
    return (w + s != w)[some].float().mean().item() if some.any() else 1.0


def in_float32(weights, steps):
    """the sum is not rounded to bfloat16"""
    w, s = weights.bfloat16().float(), steps.bfloat16().float()
    some = s != 0
    return (w + s == w)[some].float().mean().item() if some.any() else 0.0


def compared_with_exact(weights, steps):
    """compared with the weight that was not rounded"""
    some = steps.bfloat16() != 0
    same = (weights + steps).bfloat16() == weights
    return same[some].float().mean().item() if some.any() else 0.0


def rounded_once(weights, steps):
    """weights and steps are rounded before they are added"""
    w, some = weights.bfloat16(), steps.bfloat16() != 0
    same = (weights.double() + steps.double()).bfloat16() == w
    return same[some].float().mean().item() if some.any() else 0.0


def float16(weights, steps):
    """that is float16, not bfloat16"""
    w, s = weights.half(), steps.half()
    some = s != 0
    return (w + s == w)[some].float().mean().item() if some.any() else 0.0


def by_size(weights, steps):
    """how large a step must be depends on its weight"""
    some = steps.bfloat16() != 0
    return (steps.bfloat16().abs() < 2**-8)[some].float().mean().item() if some.any() else 0.0


def no_steps(weights, steps):
    """where no step is left it divides by nothing"""
    w, s = weights.bfloat16(), steps.bfloat16()
    return (w + s == w)[s != 0].float().mean().item()


def a_count(weights, steps):
    """it is a count, not a share"""
    w, s = weights.bfloat16(), steps.bfloat16()
    return float(((w + s == w) & (s != 0)).sum())
