def pooled(weight, H, G):
    """Average the heads of each of G groups: a tensor [H * D, ...] becomes [G * D, ...].

    weight: that of a key or value projection, [H * D, C], or its bias, [H * D].
    """
    D = len(weight) // H
    heads = weight.reshape(G, H // G, D, *weight.shape[1:])  # group, head in it, row of the head
    return heads.mean(dim=1).reshape(G * D, *weight.shape[1:])
