import math
from fractions import Fraction


def floor_of(cases):
    """The mean over all cases of minus the log of the share of what followed."""
    losses = []
    for sight, outcome in cases:
        followed = [other for seen, other in cases if seen == sight]
        share = Fraction(followed.count(outcome), len(followed))
        losses.append(-math.log(share))
    return math.fsum(losses) / len(losses)
