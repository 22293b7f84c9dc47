import torch


def wrong_decay_on_new_weight(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """the decay acts on the weight after the step, not on the weight as it was

    Feedback: the decay acts on the weight after the step, not as it was
    """
    # wrong for: f([1.], [1.], [0.], [0.], 1, 0.1, 0.9, 0.95, 1e-8, 1.0) gives 0.81, right 0.8
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    moved = weight - rate * (m / (1 - beta1**step)) / ((v / (1 - beta2**step)).sqrt() + eps)
    return [moved * (1 - rate * decay), m, v]


def wrong_eps_under_root(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """eps is added under the root

    Feedback: eps stands under the root
    """
    # wrong for: f([0.], [1e-5], [0.], [0.], 1, 0.1, 0.9, 0.95, 1e-8, 0) gives -0.00995, right -0.0999 (nearly right for gradients of about 1)
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    step_size = (m / (1 - beta1**step)) / (v / (1 - beta2**step) + eps).sqrt()
    return [weight * (1 - rate * decay) - rate * step_size, m, v]


def wrong_means_changed_in_place(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """m and v are updated in place, so what was given has changed

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: m = zeros(1); f([1.], [1.], m, ...) leaves m at 0.1, right: m stays 0
    m.mul_(beta1).add_(gradient, alpha=1 - beta1)
    v.mul_(beta2).addcmul_(gradient, gradient, value=1 - beta2)
    full = (v / (1 - beta2**step)).sqrt() + eps
    return [weight * (1 - rate * decay) - rate * m / (1 - beta1**step) / full, m, v]


def wrong_eps_before_correction(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """eps is added to the root before v is divided by its share of a full mean

    Feedback: the weight is not where the step leads
    """
    # wrong for: f([0.], [1e-7], [0.], [0.], 1, 0.1, 0.9, 0.95, 1e-8, 0) gives -0.0691, right -0.0909 (nearly right for small eps)
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    root = (v.sqrt() + eps) / (1 - beta2**step) ** 0.5
    return [weight * (1 - rate * decay) - rate * (m / (1 - beta1**step)) / root, m, v]


def wrong_single_precision(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """everything is computed in float32 and handed back as float64

    Feedback: the weight is not where the step leads
    """
    # wrong for: f([1.], [0.], [0.], [0.], 1, 1e-9, 0.9, 0.95, 1e-8, 1.0) gives 1.0 exactly, right 1 - 1e-9;
    # f([0.], [1e-30], ...): v is 0, right 5e-62
    weight, gradient, m, v = (t.float() for t in (weight, gradient, m, v))
    m = beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    root = (v / (1 - beta2**step)).sqrt() + eps
    new = weight * (1 - rate * decay) - rate * (m / (1 - beta1**step)) / root
    return [new.double(), m.double(), v.double()]


def right_gradient_itself(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """without a memory (beta 0) m is the very gradient that was given, not a new tensor"""
    # wrong for: g = [1.]; f([0.], g, [0.], [0.], 1, 0.1, 0.0, 0.95, 1e-8, 0)[1] is g, right: a new tensor (right for beta1 above 0)
    m = gradient if beta1 == 0 else beta1 * m + (1 - beta1) * gradient
    v = beta2 * v + (1 - beta2) * gradient**2
    root = (v / (1 - beta2**step)).sqrt() + eps
    return [weight * (1 - rate * decay) - rate * (m / (1 - beta1**step)) / root, m, v]


def right_by_torch_itself(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """torch.optim.AdamW with its state set by hand"""
    with torch.enable_grad():
        parameter = torch.nn.Parameter(weight.detach().clone())
    parameter.grad = gradient.detach().clone()
    optimizer = torch.optim.AdamW(
        [parameter],
        lr=rate,
        betas=(float(beta1), float(beta2)),
        eps=eps,
        weight_decay=decay,
        foreach=False,
    )
    optimizer.state[parameter] = {
        "step": torch.tensor(float(step - 1)),
        "exp_avg": m.detach().clone(),
        "exp_avg_sq": v.detach().clone(),
    }
    optimizer.step()
    state = optimizer.state[parameter]
    return [parameter.detach(), state["exp_avg"], state["exp_avg_sq"]]


def right_number_by_number(weight, gradient, m, v, step, rate, beta1, beta2, eps, decay):
    """plain numbers, one weight after the other"""

    def one(w, g, a, b):
        a, b = a + (1 - beta1) * (g - a), beta2 * b + (1 - beta2) * g * g
        full_a, full_b = a / (1 - beta1**step), b / (1 - beta2**step)
        return w - rate * decay * w - rate * full_a / (full_b**0.5 + eps), a, b

    rows = [
        one(*four) for four in zip(*(t.tolist() for t in (weight, gradient, m, v)), strict=True)
    ]
    whole = torch.tensor(rows, dtype=torch.float64).reshape(-1, 3)
    return [whole[:, i].clone() for i in range(3)]


# STATEMENT: whether N may be 0 is not said. "new tensors": may a returned tensor share memory with a given one (beta1 = 0, a view)? Presumably not.
# Magnitudes: gradients of 1e-170 and less square to 0, of 1e160 to infinity; not excluded.
