from collections import Counter
from itertools import pairwise


def wrong_smaller_ids_win_ties(row):
    """of equally frequent pairs the one with the smaller ids is taken

    Feedback: of equally frequent pairs the smaller ids win: take the one that is met first
    """
    # wrong for: f([5, 6, 1, 2]) gives [1, 2], right [5, 6]
    counts = Counter(pairwise(row))
    return list(min(counts, key=lambda pair: (-counts[pair], pair)))


def wrong_first_to_reach_the_count(row):
    """of equal pairs the one that reaches the highest count first is taken

    Feedback: of equally frequent pairs not the first is taken
    """
    # wrong for: f([1, 2, 3, 4, 3, 4, 1, 2]) gives [3, 4], right [1, 2]
    counts, best = {}, None
    for pair in zip(row, row[1:]):
        counts[pair] = counts.get(pair, 0) + 1
        if best is None or counts[pair] > counts[best]:
            best = pair
    return list(best)


def wrong_overlap_counts_once(row):
    """in a run of equal ids the pairs that overlap are not counted each

    Feedback: pairs that overlap count each
    """
    # wrong for: f([2, 3, 1, 1, 1]) gives [2, 3], right [1, 1]
    counts, last_end = {}, {}
    for at in range(len(row) - 1):
        pair = (row[at], row[at + 1])
        if last_end.get(pair, -1) >= at:
            counts.setdefault(pair, 0)
            continue
        counts[pair] = counts.get(pair, 0) + 1
        last_end[pair] = at + 1
    return list(max(counts, key=counts.get))


def wrong_digits_run_together(row):
    """a pair is counted under its two ids joined as text

    Feedback: ids are joined as digits: 1, 11 is not 11, 1
    """
    # wrong for: f([1, 2, 1, 2, 11, 1, 9, 1, 11, 8, 1, 11]) gives [11, 1], right [1, 2]
    counts, of = {}, {}
    for a, b in zip(row, row[1:]):
        key = f"{a}{b}"
        counts[key] = counts.get(key, 0) + 1
        of.setdefault(key, [a, b])
    return of[max(counts, key=counts.get)]


def wrong_key_fits_bytes_only(row):
    """a pair is counted under 256 * a + b, so ids from 256 on get mixed up

    Feedback: an id beyond 255 does not fit into the number that a pair is made
    """
    # wrong for: f([0, 257]) gives [1, 1], right [0, 257]
    counts = Counter(256 * a + b for a, b in pairwise(row))
    best = max(counts, key=counts.get)
    return list(divmod(best, 256))


def wrong_order_ignored(row):
    """the pairs a b and b a are counted as one

    Feedback: only every second pair is looked at
    """
    # wrong for: f([1, 2, 1, 5, 6, 7, 5, 6]) gives [1, 2], right [5, 6]
    counts, first = {}, {}
    for a, b in zip(row, row[1:]):
        key = frozenset((a, b))
        counts[key] = counts.get(key, 0) + 1
        first.setdefault(key, [a, b])
    return first[max(counts, key=counts.get)]


def right_positions_in_a_class(row):
    """a small class orders pairs by count and by place"""

    class Seen:
        def __init__(self, place):
            self.place, self.count = place, 0

        def __lt__(self, other):
            return (-self.count, self.place) < (-other.count, other.place)

    seen = {}
    for place in range(1, len(row)):
        found = seen.setdefault((row[place - 1], row[place]), Seen(place))
        found.count += 1
    best = min(seen.values())
    return [row[best.place - 1], row[best.place]]


def right_most_common(row):
    """most_common keeps the order of meeting among equals; unpacked in one expression"""
    return [*Counter(zip(row[:-1], row[1:], strict=True)).most_common(1)[0][0]]


# STATEMENT: clear. Not said: whether ids are whole numbers of any size (256 and above surely, as merges make them), and whether a tuple passes for "a list of two ids".
