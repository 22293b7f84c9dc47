import math


def bucket(distance, buckets, longest):
    """Return which of T5's buckets a distance falls into, an int from 0 to buckets - 1.

    distance: 0 or more. buckets: even. longest: more than buckets / 2.
    """
    half = buckets // 2
    if distance < half:
        return distance
    share = math.log(distance / half) / math.log(longest / half)  # 0 at half, 1 at longest
    return min(buckets - 1, half + int(share * (buckets - half)))
