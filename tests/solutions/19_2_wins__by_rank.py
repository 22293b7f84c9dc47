from bisect import bisect_left, bisect_right


def wins(before, after):
    """Count by position in the sorted list of the old losses."""
    ordered = sorted(before)
    higher = [
        len(ordered) - (bisect_left(ordered, b) + bisect_right(ordered, b)) / 2 for b in after
    ]
    return sum(higher) / len(after) / len(before)
