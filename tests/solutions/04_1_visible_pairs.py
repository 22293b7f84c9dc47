def visible_pairs(length, width):
    """Return how many (query, key) pairs a causal window of `width` allows for `length` tokens.

    The width counts the token itself. No mask is built.
    """
    # The first tokens see all there is, i + 1 keys; the later ones see the full width.
    return sum(min(i + 1, width) for i in range(length))
