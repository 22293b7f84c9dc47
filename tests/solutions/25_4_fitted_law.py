import numpy as np


def fitted_law(N, D, losses, a, b):
    """Return [E, A, B], the law E + A / N**a + B / D**b of least squared error.

    N, D, losses: lists of equal length, one entry a run. a, b: the exponents, given.
    """
    N, D = np.array(N, dtype=float), np.array(D, dtype=float)
    columns = np.stack([np.ones_like(N), (N / N[0]) ** -a, (D / D[0]) ** -b], axis=1)
    E, A, B = np.linalg.lstsq(columns, np.array(losses), rcond=None)[0]
    return [float(E), float(A * N[0] ** a), float(B * D[0] ** b)]
