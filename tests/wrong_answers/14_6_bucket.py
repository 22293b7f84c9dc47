"""Wrong answers to 14.6. A docstring holds the words that only this fault's feedback contains."""

import math

EQUAL = {"distance < half  ->  distance <= half": "at half the share is 0: the same bucket"}


def _share(distance, half, longest):
    return math.log(distance / half) / math.log(longest / half)


def evenly(distance, buckets, longest):
    """the far distances are cut evenly"""
    half = buckets // 2
    if distance < half:
        return distance
    return min(buckets - 1, half + (distance - half) * (buckets - half) // (longest - half))


def rounds_up(distance, buckets, longest):
    """a bucket begins too early"""
    half = buckets // 2
    if distance < half:
        return distance
    return min(buckets - 1, half + math.ceil(_share(distance, half, longest) * half))


def measured_from_one(distance, buckets, longest):
    """measured from 1 and not from half"""
    half = buckets // 2
    if distance < half:
        return distance
    return min(buckets - 1, half + int(math.log(distance) / math.log(longest) * half))


def clamped(distance, buckets, longest):
    """everything that is not near"""
    return distance if distance < buckets // 2 else buckets - 1


def logarithm_from_the_start(distance, buckets, longest):
    """does not have the bucket of its own number"""
    return min(buckets - 1, int(math.log(distance + 1) / math.log(longest + 1) * buckets))


def one_beyond(distance, buckets, longest):
    """a bucket that does not exist"""
    half = buckets // 2
    if distance < half:
        return distance
    return half + int(min(1, _share(distance, half, longest)) * half)
