import torch


def noise_of(small, large, few, many):
    """The two equations as a system of two unknowns, solved by elimination."""

    def mean_square(x):
        return float(torch.einsum("ij,ij->", x, x)) / len(x)

    left = mean_square(small) * few  # few * |G|^2 + S
    right = mean_square(large) * many  # many * |G|^2 + S
    true = (right - left) / (many - few)
    if true <= 0:
        return float("inf")
    return (left - few * true) / true
