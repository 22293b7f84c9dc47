"""Wrong answers to 18.1. A docstring holds the words that only this fault's feedback contains."""

from collections import Counter
from itertools import pairwise


def _most(pairs):
    counts = Counter(pairs)
    return list(max(counts, key=counts.get))


def last_of_equal_ones(row):
    """not the first is taken"""
    counts = Counter(pairwise(row))
    return list(max(reversed(counts), key=counts.get))


def every_second(row):
    """only every second pair is looked at"""
    return _most(zip(row[::2], row[1::2], strict=False))


def no_overlaps(row):
    """pairs that overlap count each"""
    pairs, i = [], 0
    while i < len(row) - 1:
        pairs.append((row[i], row[i + 1]))
        i += 2 if row[i : i + 3] == [row[i]] * 3 else 1
    return _most(pairs)


def without_order(row):
    """a pair and its reverse"""
    return _most(tuple(sorted(pair)) for pair in pairwise(row))


def rarest(row):
    """it is the rarest pair"""
    counts = Counter(pairwise(row))
    return list(min(counts, key=counts.get))


def two_ids(row):
    """ids are counted, not pairs"""
    return [token for token, _ in Counter(row).most_common(2)]


def gives_the_count(row):
    """a whole number is asked for"""
    counts = Counter(pairwise(row))
    return [max(counts, key=counts.get), max(counts.values())]


def smaller_ids_win(row):
    """take the one that is met first"""
    pairs = list(pairwise(row))
    return list(min(pairs, key=lambda pair: (-pairs.count(pair), pair)))
