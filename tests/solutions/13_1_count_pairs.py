def count_pairs(family, source, text):
    """Return how many squares are filled, in all tables of the family together, as an int.

    family: "encoder", "decoder", "prefix" or "encoder-decoder".

    For 1,000 and 1,000 tokens: of the encoder's 4,000,000 pairs the decoder fills 2,001,000, just
    over half. The other two fill 2,500,500, which is 0.63 of them.
    """
    tokens = source + text
    if family == "encoder":
        return tokens * tokens
    if family == "decoder":
        return tokens * (tokens + 1) // 2
    # a square, a rectangle and a triangle: in one table, or in three
    return source * source + text * source + text * (text + 1) // 2
