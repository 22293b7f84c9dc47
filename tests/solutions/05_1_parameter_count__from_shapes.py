from math import prod


def parameter_count(V, T, C, blocks):
    """The shapes of all tensors, one by one."""
    vectors = [[C]] * 5 + [[4 * C]] + [[C]] * 4  # biases, then the two norms
    block = [[C, C]] * 4 + [[4 * C, C], [C, 4 * C]] + vectors
    return sum(prod(shape) for shape in [[V, C], [T, C], [V, C], [V]] + blocks * block)
