import math


def alibi_reach(slope, share):
    """Go back token by token."""
    distance = 0
    while math.exp(-slope * distance) > share:
        distance += 1
    return distance
