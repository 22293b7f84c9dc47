import math


def right_floats_on_an_edge(distance, buckets, longest):
    """T5's formula with floats, whose quotient of logs falls just under a whole number on some exact edges."""
    # wrong for: f(10, 10, 160) gives 5, right 6
    half = buckets // 2
    if distance < half:
        return distance
    return min(buckets - 1, half + int(math.log(distance / half) / math.log(longest / half) * half))


def wrong_longest_is_one_too_far(distance, buckets, longest):
    """Only what is further than longest is put into the last bucket; longest itself gets one more.

    Feedback: it returned a bucket that does not exist
    """
    # wrong for: f(128, 32, 128) gives 32, right 31
    half = buckets // 2
    if distance < half:
        return distance
    if distance > longest:
        return buckets - 1
    return half + int(math.log(distance / half) / math.log(longest / half) * half + 1e-9)


def wrong_sixteen_wide_buckets(distance, buckets, longest):
    """There are always sixteen wide buckets, as in the example with 32.

    Feedback: everything that is not near is put into the last bucket
    """
    # wrong for: f(4, 6, 24) gives 5, right 3
    half = buckets // 2
    if distance < half:
        return distance
    far = math.log(distance / half) / math.log(longest / half) * 16
    return min(buckets - 1, half + int(far + 1e-9))


def wrong_nearest_bucket(distance, buckets, longest):
    """The logarithm is rounded to the nearest bucket, not down.

    Feedback: a bucket begins too early: round down, not up
    """
    # wrong for: f(7, 8, 64) gives 5, right 4
    half = buckets // 2
    if distance < half:
        return distance
    return min(
        buckets - 1, half + round(math.log(distance / half) / math.log(longest / half) * half)
    )


def wrong_room_for_all(distance, buckets, longest):
    """When there are at least as many buckets as distances, each distance has its own.

    Feedback: a distance beyond longest is not in the last one
    """
    # wrong for: f(5, 8, 5) gives 5, right 7
    half = buckets // 2
    if distance < half or longest <= buckets:
        return min(distance, buckets - 1)
    return min(
        buckets - 1, half + int(math.log(distance / half) / math.log(longest / half) * half + 1e-9)
    )


def wrong_nearly_at_the_edge(distance, buckets, longest):
    """A hundredth of a bucket is forgiven, against rounding, so a distance just before an edge
    passes it.

    Feedback: a bucket begins too early: round down, not up
    """
    # wrong for: f(75, 8, 200) gives 7, right 6
    half = buckets // 2
    if distance < half:
        return distance
    return min(
        buckets - 1, half + int(math.log(distance / half) / math.log(longest / half) * half + 0.01)
    )


def right_whole_numbers_only(distance, buckets, longest):
    """No logs: the edges are compared as whole powers, longest^k half^half against distance^half half^k."""
    half = buckets // 2
    if distance < half:
        return distance
    distance = min(distance, longest)
    return half + sum(distance**half * half**k >= longest**k * half**half for k in range(1, half))


def right_log_then_mended(distance, buckets, longest):
    """The float's guess by log2, moved by one where exact fractions say so."""
    from fractions import Fraction

    half = buckets >> 1
    if distance < half:
        return distance
    if distance >= longest:
        return buckets - 1
    ratio, far = Fraction(longest, half), Fraction(distance, half) ** half
    k = math.floor(math.log2(distance / half) / math.log2(longest / half) * half)
    while ratio ** (k + 1) <= far:
        k += 1
    while ratio**k > far:
        k -= 1
    return min(half + k, buckets - 1)


# STATEMENT: on exact edges T5's own float formula is off by one (10 of 10 buckets with longest 160: factor 2, the edge
# is 10, floats say 5 and exact 6; 20 and 80 too): say which counts, or keep checks off such edges. "Further than that is
# in the last bucket": longest itself follows only from "0 to buckets - 1". buckets of 2 (half is 1) is allowed.
