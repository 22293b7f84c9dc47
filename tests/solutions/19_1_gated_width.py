def gated_width(C, multiple, factor):
    """Return the hidden width of a Llama's feed-forward part, as an int.

    C: the model's width. multiple: the result is a multiple of it. factor: a last stretch.
    """
    width = int(factor * (2 * 4 * C // 3))
    return -(-width // multiple) * multiple  # rounded up
