def best_size(A, B, a, b, flops):
    """Return the N of least loss E + A / N**a + B / D**b where 6 * N * D = flops.

    A, B, a, b: numbers above 0. flops: the budget in floating-point operations.
    """
    return (a * A / (b * B)) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b))
