import torch


def _kind(by_distance, tolerance=1e-4):
    """The kind for one number a distance."""
    if max(by_distance) - min(by_distance) < tolerance:
        return "none"
    falls = [a - b for a, b in zip(by_distance, by_distance[1:])]
    even = max(falls) - min(falls) < tolerance
    return "alibi" if even and by_distance[0] > by_distance[-1] else "relative"


def wrong_last_two_rows(scores):
    """Only the last two rows are compared, so a changed number further up is not seen.

    Feedback: one changed number goes unnoticed
    """
    # wrong for: s = torch.zeros(5, 5); s[2, 1] = 1.0; f(s) gives 'none', right 'absolute'
    last, other = scores[-1].tolist()[::-1], scores[-2].tolist()[-2::-1]
    if any(abs(a - b) >= 1e-4 for a, b in zip(last, other)):
        return "absolute"
    return _kind(last)


def wrong_rising_line_is_alibi(scores):
    """Any straight line counts as ALiBi, whether it falls or rises.

    Feedback: a rise with distance is called alibi: it must fall
    """
    # wrong for: d = torch.arange(4.0); f(d[:, None] - d) gives 'alibi', right 'relative'
    diagonals = [scores.diagonal(-d).tolist() for d in range(len(scores))]
    if any(max(row) - min(row) >= 1e-4 for row in diagonals):
        return "absolute"
    line = [row[0] for row in diagonals]
    return "alibi" if _kind([-x for x in line]) == "alibi" else _kind(line)


def wrong_looser_tolerance(scores):
    """Numbers count as equal up to 0.001, not 0.0001.

    Feedback: a difference of 0.0005 is overlooked: 0.0001 is what is allowed
    """
    # wrong for: s = torch.zeros(4, 4); s[2, 1] = 0.0005; f(s) gives 'none', right 'absolute'
    diagonals = [scores.diagonal(-d).tolist() for d in range(len(scores))]
    if any(max(row) - min(row) >= 1e-3 for row in diagonals):
        return "absolute"
    return _kind([row[0] for row in diagonals], tolerance=1e-3)


def wrong_future_is_multiplied_away(scores):
    """The future is multiplied by 0, which leaves NaN where infinity stood, and NaN compares as
    different.

    Feedback: what stands above the diagonal counts: 0 times infinity is NaN
    """
    # wrong for: f(torch.zeros(4, 4) + torch.full((4, 4), -math.inf).triu(diagonal=1)) gives 'absolute', right 'none'
    T = len(scores)
    shown = scores * torch.ones(T, T).tril()
    back = torch.arange(T)[:, None] - torch.arange(T)
    line = shown[-1].flip(0)
    if not bool(((shown - line[back.clamp(min=0)] * (back >= 0)).abs() < 1e-4).all()):
        return "absolute"
    return _kind(line.tolist())


def wrong_corner_not_looked_at(scores):
    """The bottom left corner is left out, since it is alone at its distance.

    Feedback: unequal steps down are called alibi: ALiBi's are all the same
    """
    # wrong for: s = torch.zeros(4, 4); s[3, 0] = 1.0; f(s) gives 'none', right 'relative'
    diagonals = [scores.diagonal(-d).tolist() for d in range(len(scores) - 1)]
    if any(max(row) - min(row) >= 1e-4 for row in diagonals):
        return "absolute"
    return _kind([row[0] for row in diagonals])


def wrong_neighbours_on_the_diagonal(scores):
    """Only neighbours on a diagonal are compared, so a slow drift along it stays unseen.

    Feedback: scores drift along a diagonal by 0.00035 in all, and only neighbours are
    """
    # wrong for: f(torch.arange(8.0)[:, None] * 0.00005 + torch.zeros(8, 8)) gives 'none', right 'absolute'
    diagonals = [scores.diagonal(-d) for d in range(len(scores))]
    if any(bool((row.diff().abs() >= 1e-4).any()) for row in diagonals):
        return "absolute"
    return _kind([float(row[-1]) for row in diagonals])


def right_dictionary_of_distances(scores):
    """Plain Python: numbers gathered by distance from nested lists, ranges compared, then the steps between middles."""
    rows = [[float(x) for x in row] for row in scores]
    at = {}
    for i, row in enumerate(rows):
        for j in range(i + 1):
            at.setdefault(i - j, []).append(row[j])
    ranges = {d: (min(them), max(them)) for d, them in at.items()}
    if any(high - low >= 1e-4 for low, high in ranges.values()):
        return "absolute"
    if max(high for _, high in ranges.values()) - min(low for low, _ in ranges.values()) < 1e-4:
        return "none"
    middle = [sum(ranges[d]) / 2 for d in sorted(ranges)]
    steps = [middle[d] - middle[d + 1] for d in range(len(middle) - 1)]
    slope = (middle[0] - middle[-1]) / (len(middle) - 1)
    return "alibi" if slope > 0 and all(abs(step - slope) < 1e-4 for step in steps) else "relative"


def right_tensor_of_means(scores):
    """Sums by distance with index_add in float64, each shown number against its distance's mean, second differences."""
    shown = torch.as_tensor(scores).double()
    T = shown.shape[0]
    i, j = torch.tril_indices(T, T)
    numbers, back = shown[i, j], i - j
    mean = torch.zeros(T, dtype=torch.float64).index_add(0, back, numbers) / torch.arange(T, 0, -1)
    high = torch.full((T,), -torch.inf, dtype=torch.float64).scatter_reduce(
        0, back, numbers, "amax"
    )
    low = torch.full((T,), torch.inf, dtype=torch.float64).scatter_reduce(0, back, numbers, "amin")
    if (high - low).max() >= 1e-4:
        return "absolute"
    if high.max() - low.min() < 1e-4:
        return "none"
    straight = mean.diff().max() - mean.diff().min() < 1e-4
    return "alibi" if straight and mean[-1] < mean[0] else "relative"


# STATEMENT: "equal if they differ by less than 0.0001" is not carried over: for three numbers 0, 0.00009, 0.00018 the
# first and last differ; for "the same amount for each token" it is not said whether the steps, or the numbers against
# the line, are compared (a slope under 0.0001 is fine by one reading, "none" by a reading of neighbours). float32 scores
# of a thousand or more have larger errors than 0.0001. It shows no import in the stub although torch is allowed; scores is
# a tensor by the lesson only, and the future may hold NaN or infinity ("anything").
