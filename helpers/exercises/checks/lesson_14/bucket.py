"""Exercise 14.6: the buckets of T5."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

bucket = Exercise(
    "14.6",
    "bucket",
    title="Fewer numbers for far tokens",
    minutes=20,
    level="challenge",
    points=4,
    imports=(),
    seconds=5,
    hints=(
        "Split it in three: near (a bucket of its own), far (the last bucket), and what lies "
        "between. Only the middle needs thought.",
        "With 32 buckets and longest 128: 15 is in bucket 15, 16 in 16, 18 still in 16, 19 in 17, "
        "64 in 26, 112 in 30, 113 in 31, and so is everything beyond.",
        "half = buckets // 2; share = math.log(distance / half) / math.log(longest / half), which "
        "is 0 at half and 1 at longest; the bucket is half + int(share * (buckets - half)), and "
        "at most buckets - 1.",
    ),
)
SIZES = (
    (32, 128),
    (8, 32),
    (16, 64),
    (32, 512),
    (8, 5),
    (32, 20),
)  # no bucket begins at a whole distance by rounding


def right(distance: int, buckets: int, longest: int) -> int:
    """Return the bucket of T5, for looking back only."""
    half = buckets // 2
    if distance < half:
        return distance
    share = math.log(distance / half) / math.log(longest / half)
    return min(buckets - 1, half + int(share * (buckets - half)))


def straight(distance: int, buckets: int, longest: int) -> int:
    """Return the bucket of someone who cuts the middle into equal pieces."""
    half = buckets // 2
    if distance < half:
        return distance
    return min(buckets - 1, half + (distance - half) * (buckets - half) // (longest - half))


def of(call, distance: int, buckets: int, longest: int) -> int:
    """Return the answer's bucket, a whole number from 0 to buckets - 1."""
    seen = f"for distance {distance}, {buckets} buckets and longest {longest}"
    got = expect.whole(call(distance, buckets, longest), seen)
    if not 0 <= got < buckets:
        raise Broken("it returned a bucket that does not exist", f"{seen} it gives {got}")
    return got


@bucket.property("it is a whole number from 0 to buckets - 1")
def bucket_form(call, draw):
    """Near, far and very far."""
    for buckets, longest in SIZES:
        for distance in (0, 1, buckets // 2, longest - 1, longest, 10 * longest):
            of(call, distance, buckets, longest)


@bucket.property("the nearest buckets / 2 distances have buckets of their own")
def bucket_near(call, draw):
    """0 to half - 1."""
    for buckets, longest in SIZES:
        for distance in range(buckets // 2):
            seen = f"for distance {distance}, {buckets} buckets and longest {longest}"
            got = of(call, distance, buckets, longest)
            fault = "a near distance does not have the bucket of its own number"
            expect.equal(got, distance, seen, fault)


@bucket.property("from longest on, all is one bucket, the last")
def bucket_far(call, draw):
    """At longest and beyond."""
    for buckets, longest in SIZES:
        for distance in (longest, longest + 1, 7 * longest):
            seen = f"for distance {distance}, {buckets} buckets and longest {longest}"
            got = of(call, distance, buckets, longest)
            expect.equal(got, buckets - 1, seen, "a distance beyond longest is not in the last one")


def slips(distance: int, buckets: int, longest: int) -> list[tuple[int, str]]:
    """Return what known faults give between near and far."""
    half = buckets // 2
    place = half + math.log(distance / half) / math.log(longest / half) * (buckets - half)
    from_one = half + int(math.log(distance) / math.log(longest) * (buckets - half))
    return [
        (straight(distance, buckets, longest), "the far distances are cut evenly"),
        (min(buckets - 1, math.ceil(place)), "a bucket begins too early: round down, not up"),
        (from_one, "the share is measured from 1 and not from half"),
        (buckets - 1, "everything that is not near is put into the last bucket"),
    ]


@bucket.property("between, the edges grow by the same factor from bucket to bucket")
def bucket_between(call, draw):
    """Every distance, first those that tell the usual slips apart."""
    for buckets, longest in SIZES:
        half = buckets // 2
        drawn = torch.randint(half, longest, (12,), generator=draw).tolist()
        middle = range(half, longest) if longest < 200 else drawn

        def alike(distance: int, sizes: tuple[int, int] = (buckets, longest)) -> int:
            values = [value for value, _ in slips(distance, *sizes)]
            return -len({right(distance, *sizes), *values})

        for distance in sorted(middle, key=alike):
            expect.equal(
                of(call, distance, buckets, longest),
                right(distance, buckets, longest),
                f"for distance {distance}, {buckets} buckets and longest {longest}",
                "it is in another bucket than the logarithm says",
                known=slips(distance, buckets, longest),
            )
