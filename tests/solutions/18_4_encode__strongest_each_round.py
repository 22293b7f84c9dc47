from itertools import pairwise


def encode(data, merges):
    """Each round finds the strongest pair in the row and merges all of it."""
    rank = {tuple(pair): number for number, pair in enumerate(merges)}
    row = list(data)
    while True:
        fitting = [rank[pair] for pair in pairwise(row) if pair in rank]
        if not fitting:
            return row
        best = min(fitting)
        merged = []
        for token in row:
            if merged and rank.get((merged[-1], token)) == best:
                merged[-1] = 256 + best
            else:
                merged.append(token)
        row = merged
