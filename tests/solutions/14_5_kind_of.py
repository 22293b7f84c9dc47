from itertools import pairwise


def kind_of(scores):
    """Return "none", "alibi", "relative" or "absolute" for scores [T, T], T of 4 or more.

    scores: one head's, for a text that says one word T times, before any mask.
    """
    diagonals = [scores.diagonal(-back) for back in range(len(scores))]
    if any(line.max() - line.min() > 1e-4 for line in diagonals):
        return "absolute"
    by_distance = [float(line.mean()) for line in diagonals]  # T numbers
    if max(by_distance) - min(by_distance) < 1e-4:
        return "none"
    steps = [further - near for near, further in pairwise(by_distance)]
    straight = max(steps) - min(steps) < 1e-4
    return "alibi" if straight and max(steps) < 0 else "relative"
