import math
from collections import defaultdict
from itertools import groupby


def wrong_mean_of_each_sentence(sentences, weights, k, position):
    """each sentence's surprise is divided by its own length, then averaged; right where all are
    equally long

    Feedback: it averages over sentences first: a token of a short sentence then counts for more
    """
    # wrong for: sentences of different length
    joint, seen = defaultdict(float), defaultdict(float)
    for row, weight in zip(sentences, weights):
        for t in range(1, len(row)):
            context = (tuple(row[max(0, t - k) : t]), t if position else None)
            joint[context, row[t]] += weight
            seen[context] += weight
    total = 0.0
    for row, weight in zip(sentences, weights):
        surprise = 0.0
        for t in range(1, len(row)):
            context = (tuple(row[max(0, t - k) : t]), t if position else None)
            surprise -= math.log(joint[context, row[t]] / seen[context])
        total += weight * surprise / (len(row) - 1)
    return total / sum(weights)


def wrong_minus_zero_is_all(sentences, weights, k, position):
    """the last k tokens are taken by [-k:], which for k of 0 is the whole past

    Feedback: k = 0 shows it the whole past: in Python row[-0:] is all of row
    """
    # wrong for: k = 0
    joint, seen = defaultdict(float), defaultdict(float)
    tokens = 0.0
    for row, weight in zip(sentences, weights):
        for t in range(1, len(row)):
            context = (tuple(row[:t][-k:]), t if position else None)
            joint[context, row[t]] += weight
            seen[context] += weight
            tokens += weight
    paid = -sum(m * math.log(m / seen[context]) for (context, _), m in joint.items())
    return paid / tokens


def right_sorted_groups(sentences, weights, k, position):
    """all steps in one sorted list, grouped by what is seen and then by what follows"""
    steps = sorted(
        (t * bool(position), tuple(row[max(0, t - k) : t]), row[t], weight)
        for row, weight in zip(sentences, weights)
        for t in range(1, len(row))
    )
    paid = []
    for _, group in groupby(steps, key=lambda step: step[:2]):
        masses = [
            math.fsum(step[3] for step in same)
            for _, same in groupby(group, key=lambda step: step[2])
        ]
        whole = math.fsum(masses)
        paid += [m * math.log(whole / m) for m in masses]
    return math.fsum(paid) / math.fsum(step[3] for step in steps)


# STATEMENT: the order of position and k is clear. Weights 1e-100 beside 1e100: to what
# relative exactness is a loss near 0 asked?
