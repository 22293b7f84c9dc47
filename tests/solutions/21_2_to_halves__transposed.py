def to_halves(weight, G):
    """A head's rows as a table of pairs, read by columns."""
    pairs = weight.reshape(G, -1, 2, weight.shape[1])  # [G, D / 2, 2, C]
    return pairs.transpose(1, 2).reshape(weight.shape)
