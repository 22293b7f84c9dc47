import math


def alibi_reach(slope, share):
    """Return the smallest distance at which ALiBi leaves at most `share` of a weight, an int.

    slope: above 0. share: above 0, at most 1.
    """
    return math.ceil(math.log(1 / share) / slope)
