from collections import Counter
from itertools import pairwise


def most_frequent_pair(row):
    """Return the pair of neighbours that comes most often, as a list; the first of equal ones."""
    counts = Counter(pairwise(row))
    return list(max(counts, key=counts.get))
