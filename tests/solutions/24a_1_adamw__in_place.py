def adamw(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """On copies, with torch's own operations in torch's own order."""
    weight, m, v = weight.clone(), m.clone(), v.clone()
    weight.mul_(1 - rate * decay)
    m.lerp_(gradient, 1 - beta1)
    v.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    spread = v.sqrt().div_((1 - beta2**step) ** 0.5).add_(eps)
    weight.addcdiv_(m, spread, value=-rate / (1 - beta1**step))
    return weight, m, v
