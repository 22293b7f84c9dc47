from bisect import bisect_right
from itertools import accumulate


def finish(laws, prefix, spots):
    """Draw one word, then let the same function finish what there is now."""
    (law,) = [law for known, law in laws if known == prefix]
    possible = [word for word, share in enumerate(law) if share]
    cuts = list(accumulate(law[word] for word in possible))
    word = possible[min(bisect_right(cuts, spots[0]), len(possible) - 1)]
    longer = [*prefix, word]
    return longer if word == 2 else finish(laws, longer, spots[1:])
