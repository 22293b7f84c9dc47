from collections import Counter
from itertools import pairwise


def learn(words, count):
    """Return at most `count` merges, as pairs of ids, learned from words and how often each comes.

    words: {word: times}. The product of merge number k has the id 256 + k.
    """
    rows = [(list(word.encode()), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        counts = Counter()
        for row, times in rows:
            for pair in pairwise(row):
                counts[pair] += times
        best = max(counts, key=counts.get, default=None)
        if best is None or counts[best] < 2:
            break
        rows = [(merged(row, best, 256 + len(merges)), times) for row, times in rows]
        merges.append(list(best))
    return merges


def merged(row, pair, new):
    """Return a row with each occurrence of the pair, from the left, replaced by the new id."""
    result = []
    for token in row:
        if result and (result[-1], token) == pair:
            result[-1] = new
        else:
            result.append(token)
    return result
