from bisect import bisect_right
from fractions import Fraction
from itertools import accumulate


def wrong_beyond_is_the_last_index(law, spot):
    """a spot beyond the sum falls on the last word, even where that has probability 0

    Feedback: a spot beyond the last sum gets a word that cannot come
    """
    # wrong for: pick([0.5, 0.49999, 0.0], 0.999999) gives 2, right 1
    end = 0.0
    for index, p in enumerate(law):
        end += p
        if spot < end:
            return index
    return len(law) - 1


def wrong_rescaled_to_one(law, spot):
    """the law is first divided by its sum, which moves every cut where the sum is a little under 1

    Feedback: a spot on a cut lies on another piece
    """
    # wrong for: pick([0.5, 0.49999], 0.500003) gives 0, right 1
    total = sum(law)
    end, last = 0.0, 0
    for index, p in enumerate(law):
        if p == 0:
            continue
        last = index
        end += p / total
        if spot < end:
            return index
    return last


def right_exact_cuts(law, spot):
    """words with probability 0 are thrown out first, then the cuts are added up as fractions and
    searched by halves
    """
    alive = [index for index, p in enumerate(law) if p > 0]
    cuts = list(accumulate(Fraction(law[index]) for index in alive))
    return alive[min(bisect_right(cuts, Fraction(spot)), len(alive) - 1)]


# STATEMENT: "a little under 1": how little? A spot beyond the sum, a millionth away from the
# last cut, needs a sum under 1 - 1e-6, which is more than float64 rounding leaves. The sum a
# little OVER 1 (float32 laws) is not mentioned.
