def encode(data, merges):
    """Return the ids of a piece: its bytes, with the merges applied, the first learned one first.

    The product of merge number k has the id 256 + k.
    """
    row = data
    for number, pair in enumerate(merges):
        merged = []
        for token in row:
            if merged and [merged[-1], token] == pair:
                merged[-1] = 256 + number
            else:
                merged.append(token)
        row = merged
    return row
