def count_pairs(family, source, text):
    """Add up the rows: how many tokens does each one see?"""
    rows = []
    for t in range(source + text):
        if family == "encoder":
            rows.append(source + text)
        elif family == "decoder" or t >= source:
            rows.append(t + 1)
        else:
            rows.append(source)
    return sum(rows)
