"""Wrong answers to 07.3. A docstring holds the words that only this fault's feedback contains."""

import math


def _reached(share):
    return 1 / 3 < share < 1


def inverse(share):
    """it gives 1/T in place of T"""
    return 1 - math.log2(1 / share - 1) if _reached(share) else None


def natural_logarithm(share):
    """the logarithm is not the one to base 2"""
    return 1 / (1 - math.log(1 / share - 1)) if _reached(share) else None


def loses_the_one(share):
    """the 1 in the power"""
    if not _reached(share):
        return None
    power = math.log2(1 / share - 1)
    return -1 / power


def no_lower_end(share):
    """where no temperature leads"""
    return 1 / (1 - math.log2(1 / share - 1)) if 0 < share < 1 else None


def upper_end_is_reached(share):
    """the share 1, which only temperature 0 has"""
    if share == 1:
        return 0.0
    return 1 / (1 - math.log2(1 / share - 1)) if _reached(share) else None


def nothing_below_a_half(share):
    """None for a share that a temperature reaches"""
    return 1 / (1 - math.log2(1 / share - 1)) if 0.5 <= share < 1 else None


def from_a_short_table(share):
    """near the ends of what can be reached"""
    if not _reached(share):
        return None
    return min(max(1 / (1 - math.log2(1 / share - 1)), 0.1), 4.0)
