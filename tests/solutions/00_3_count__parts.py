from math import prod


def count(V, C, T, hidden):
    """List the shapes of all parts, and add up their sizes."""
    matrices = [(C, C)] * 4 + [(C, hidden), (hidden, C), (C, V)]
    sizes = [(V, C), (T, C)] + [(C,)] * 4  # two tables, two norms of two rows
    for matrix in matrices:
        sizes += [matrix, matrix[1:]]
    return sum(prod(size) for size in sizes)
