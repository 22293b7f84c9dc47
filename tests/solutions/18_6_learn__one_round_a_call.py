def counted(rows):
    """Return {pair: how often}, in the order in which pairs are met."""
    counts = {}
    for row, times in rows:
        for i in range(len(row) - 1):
            pair = row[i], row[i + 1]
            counts[pair] = counts.get(pair, 0) + times
    return counts


def merged(row, pair, new):
    """Return a row with the pair merged."""
    if len(row) < 2:
        return row
    if (row[0], row[1]) == pair:
        return [new, *merged(row[2:], pair, new)]
    return [row[0], *merged(row[1:], pair, new)]


def rounds(rows, count, new):
    """Return the merges that are still to come."""
    counts = counted(rows)
    most = max(counts.values(), default=0)
    if count == 0 or most < 2:
        return []
    best = next(pair for pair, times in counts.items() if times == most)
    rest = [(merged(row, best, new), times) for row, times in rows]
    return [best, *rounds(rest, count - 1, new + 1)]


def learn(words, count):
    """A round merges one pair and leaves the others to the next."""
    return rounds([(list(word.encode()), times) for word, times in words.items()], count, 256)
