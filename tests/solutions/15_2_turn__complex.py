import torch


def turn(x, positions, base, layout):
    """A pair is a complex number, and turning it is a product with a number of size 1."""
    T, D = x.shape
    speeds = torch.tensor([base ** (-2 * i / D) for i in range(D // 2)], dtype=torch.float64)
    by = torch.polar(torch.ones(T, D // 2, dtype=torch.float64), positions[:, None] * speeds)
    pairs = x.view(T, D // 2, 2) if layout == "pairs" else x.view(T, 2, D // 2).transpose(1, 2)
    turned = torch.view_as_real(torch.view_as_complex(pairs.double().contiguous()) * by)
    if layout == "halves":
        turned = turned.transpose(1, 2)
    return turned.reshape(T, D)
