from bisect import bisect_right


def bucket(distance, buckets, longest):
    """Write down where each bucket begins, and look the distance up."""
    half = buckets // 2
    growth = (longest / half) ** (1 / half)
    edges = list(range(half)) + [half * growth**k for k in range(half)]
    return bisect_right(edges, distance) - 1
