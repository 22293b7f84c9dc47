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


def _rounds(words, count, choose, across=False):
    rows = [(list(word.encode()), n) for word, n in words.items()]
    merges = []
    while len(merges) < count:
        pairs = {}
        for ids, n in rows:
            for pair in pairwise(ids):
                pairs[pair] = pairs.get(pair, 0) + n
        if across:
            for (left, _), (right, _) in pairwise(rows):
                pair = left[-1], right[0]
                pairs[pair] = pairs.get(pair, 0) + 1
        if max(pairs.values(), default=0) < 2:
            break
        pair = choose(pairs)
        merges.append(list(pair))
        joined = []
        for ids, n in rows:
            row = []
            for one in ids:
                if row and (row[-1], one) == pair:
                    row[-1] = 255 + len(merges)
                else:
                    row.append(one)
            joined.append((row, n))
        rows = joined
    return merges


def smaller_ids_win(words, count):
    """the smaller ids win"""
    return _rounds(words, count, lambda pairs: min(pairs, key=lambda p: (-pairs[p], p)))


def order_of_an_earlier_round(words, count):
    """the order of an earlier round is kept"""
    met = {}

    def choose(pairs):
        for pair in pairs:
            met.setdefault(pair, len(met))
        return max(sorted(pairs, key=met.get), key=pairs.get)

    return _rounds(words, count, choose)


def one_pair_across(words, count):
    """of the end of one word and the beginning of the next"""
    return _rounds(words, count, lambda pairs: max(pairs, key=pairs.get), across=True)
