import math

import torch


def lowest_point(sizes, losses):
    """Solve for the parabola with a matrix of powers, in base 2."""
    x = torch.tensor([math.log2(n) for n in sizes], dtype=torch.float64)
    y = torch.tensor(losses, dtype=torch.float64)
    shift = x.median()
    powers = torch.stack([(x - shift) ** k for k in range(3)])  # [3, runs]
    coefficients = torch.linalg.solve(powers @ powers.T, powers @ y)
    return 2.0 ** float(shift - coefficients[1] / (2 * coefficients[2]))
