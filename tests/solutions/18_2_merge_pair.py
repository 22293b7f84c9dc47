def merge_pair(row, pair, new):
    """Return the row with each occurrence of the pair, from the left, replaced by the new id."""
    merged, place = [], 0
    while place < len(row):
        if row[place : place + 2] == pair:
            merged.append(new)
            place += 2
        else:
            merged.append(row[place])
            place += 1
    return merged
