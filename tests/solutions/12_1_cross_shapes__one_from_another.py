def cross_shapes(B, Tq, Tk, C, H):
    """From left to right, each shape made from the one before."""
    text, source = (B, Tq, C), (B, Tk, C)

    def split(rows):
        batch, length, width = rows
        return batch, H, length, width // H

    query, key = split(text), split(source)
    weights = (*query[:3], key[2])
    output = (weights[0], weights[2], query[1] * query[3])
    return {"query": query, "key": key, "weights": weights, "output": output}
