def smoothed(counts, V, extra):
    """A list of extras, to which the counts are added; then each is divided by their sum."""
    row = [float(extra)] * V
    for token, count in counts.items():
        row[token] += count
    return [value / sum(row) for value in row]
