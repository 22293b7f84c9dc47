def wins(before, after):
    """Return how often one drawn seed of the new model beats one of the old, from 0 to 1.

    before, after: losses of the old and the new model, one a seed. A tie is half a win.
    """
    points = 0
    for a in before:
        for b in after:
            points += (b < a) + (b == a) / 2
    return points / (len(before) * len(after))
