import torch


def fitted_law(N, D, losses, a, b):
    """Take the means off first: then E drops out, and two unknowns are left."""
    x = torch.tensor(N, dtype=torch.float64) ** -a
    y = torch.tensor(D, dtype=torch.float64) ** -b
    z = torch.tensor(losses, dtype=torch.float64)
    u, v, w = x - x.mean(), y - y.mean(), z - z.mean()
    u, v, units = u / x.mean(), v / y.mean(), (x.mean(), y.mean())
    below = (u @ u) * (v @ v) - (u @ v) ** 2
    A = ((u @ w) * (v @ v) - (v @ w) * (u @ v)) / below / units[0]
    B = ((v @ w) * (u @ u) - (u @ w) * (u @ v)) / below / units[1]
    return [float(z.mean() - A * x.mean() - B * y.mean()), float(A), float(B)]
