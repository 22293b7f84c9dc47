def predictions(table):
    """Look at one logit after another, and keep the best so far."""
    ids = []
    for row in table:
        best = 0
        for i in range(1, len(row)):
            if row[i] > row[best]:
                best = i
        ids.append(best)
    return ids
