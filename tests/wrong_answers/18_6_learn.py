"""Wrong answers to 18.6. A docstring holds the words that only this fault's feedback contains."""

from collections import Counter
from itertools import pairwise


def _learn(words, count, least=2, first_id=256, last=False):
    rows = [(list(word.encode()), times) for word, times in words.items()]
    merges = []
    while len(merges) < count:
        counts = Counter()
        for row, times in rows:
            for pair in pairwise(row):
                counts[pair] += times
        order = list(counts)[::-1] if last else list(counts)
        best = max(order, key=counts.get, default=None)
        if best is None or counts[best] < least:
            break
        for row, _ in rows:
            i = 0
            while i < len(row):
                if tuple(row[i : i + 2]) == best:
                    row[i : i + 2] = [first_id + len(merges)]
                i += 1
        merges.append(list(best))
    return merges


def every_word_once(words, count):
    """however often it comes"""
    return _learn(dict.fromkeys(words, 1), count)


def merges_single_pairs(words, count):
    """a pair that comes once is merged"""
    return _learn(words, count, least=1)


def wants_three(words, count):
    """a pair that comes twice is not merged"""
    return _learn(words, count, least=3)


def over_the_end(words, count):
    """pairs reach over the end"""
    return _learn({"".join(word * times for word, times in words.items()): 1}, count)


def last_of_equal_ones(words, count):
    """the last one is taken"""
    return _learn(words, count, last=True)


def ids_one_higher(words, count):
    """the first product has id 256"""
    return _learn(words, count, first_id=257)


def one_too_many(words, count):
    """one merge too many"""
    return _learn(words, count + 1)


def one_too_few(words, count):
    """one merge too few"""
    return _learn(words, count - 1)
