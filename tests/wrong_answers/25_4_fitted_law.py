"""Wrong answers to 25.4. A docstring holds the words that only this fault's feedback contains."""

import numpy as np


def _fit(N, D, losses, a, b):
    N, D = np.array(N, dtype=float), np.array(D, dtype=float)
    columns = np.stack([np.ones_like(N), (N / N[0]) ** -a, (D / D[0]) ** -b], axis=1)
    E, A, B = np.linalg.lstsq(columns, np.array(losses), rcond=None)[0]
    return [float(E), float(A * N[0] ** a), float(B * D[0] ** b)]


def exchanged(N, D, losses, a, b):
    """A and B are exchanged"""
    E, A, B = _fit(N, D, losses, a, b)
    return [E, B, A]


def another_order(N, D, losses, a, b):
    """in the order A, B, E"""
    E, A, B = _fit(N, D, losses, a, b)
    return [A, B, E]


def tokens_for_parameters(N, D, losses, a, b):
    """N and D are exchanged"""
    return _fit(D, N, losses, a, b)


def exponents_exchanged(N, D, losses, a, b):
    """the two exponents are exchanged"""
    return _fit(N, D, losses, b, a)


def logarithms(N, D, losses, a, b):
    """it fits the logarithms of the losses"""
    return _fit(N, D, np.log(losses), a, b)


def first_three(N, D, losses, a, b):
    """only the first three runs are used"""
    return _fit(N[:3], D[:3], losses[:3], a, b)


def no_constant(N, D, losses, a, b):
    """E is left out: the law has a constant"""
    N, D = np.array(N, dtype=float), np.array(D, dtype=float)
    columns = np.stack([(N / N[0]) ** -a, (D / D[0]) ** -b], axis=1)
    A, B = np.linalg.lstsq(columns, np.array(losses), rcond=None)[0]
    return [0.0, float(A * N[0] ** a), float(B * D[0] ** b)]


def lowest_loss_is_the_constant(N, D, losses, a, b):
    """the lowest loss is taken for E"""
    N, D, losses = (np.array(x, dtype=float) for x in (N, D, losses))
    columns = np.stack([N**-a / N[0] ** -a, D**-b / D[0] ** -b], axis=1)
    A, B = np.linalg.lstsq(columns, losses - losses.min(), rcond=None)[0]
    return [float(losses.min()), float(A * N[0] ** a), float(B * D[0] ** b)]


def relative_errors(N, D, losses, a, b):
    """another law has a smaller sum"""
    N, D, losses = (np.array(x, dtype=float) for x in (N, D, losses))
    columns = np.stack([np.ones_like(N), (N / N[0]) ** -a, (D / D[0]) ** -b], axis=1)
    weight = 1 / (losses - 0.9 * losses.min())
    E, A, B = np.linalg.lstsq(columns * weight[:, None], losses * weight, rcond=None)[0]
    return [float(E), float(A * N[0] ** a), float(B * D[0] ** b)]
