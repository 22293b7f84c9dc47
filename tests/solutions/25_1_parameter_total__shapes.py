from math import prod


def parameter_total(V, C, T, L, h, tied, bias):
    """List every tensor's shape, then add up."""
    shapes = [(V, C), (T, C)]

    def norm():
        return [(C,), (C,)] if bias else [(C,)]

    def matrix(n, k):
        return [(n, k), (n,)] if bias else [(n, k)]

    for _ in range(L):
        shapes += norm() + norm()
        for _ in range(4):
            shapes += matrix(C, C)
        shapes += matrix(h, C) + matrix(C, h)
    shapes += norm()
    shapes += matrix(V, C)[1:] if tied else matrix(V, C)
    return sum(prod(shape) for shape in shapes)
