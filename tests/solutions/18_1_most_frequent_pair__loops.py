def most_frequent_pair(row):
    """Every pair is counted by walking through the row again."""
    pairs = [(row[i], row[i + 1]) for i in range(len(row) - 1)]
    best, most = pairs[0], 0
    for pair in pairs:
        count = sum(other == pair for other in pairs)
        if count > most:
            best, most = pair, count
    return best
