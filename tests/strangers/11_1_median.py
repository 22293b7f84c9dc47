import heapq
from bisect import insort


def wrong_sorts_the_list_itself(times):
    """The list that went in is sorted in place.

    Feedback: it changed what it was given: work on a copy
    """
    # wrong for: x = [3, 1, 2]; f(x) gives 2, but x is [1, 2, 3] afterwards, right [3, 1, 2]
    times.sort()
    n = len(times)
    return times[n // 2] if n % 2 else (times[n // 2 - 1] + times[n // 2]) / 2


def wrong_equal_times_once(times):
    """Equal numbers are counted once, since a set is sorted.

    Feedback: equal times must each count
    """
    # wrong for: f([1, 1, 1, 2, 3]) gives 2, right 1
    s = sorted(set(times))
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def wrong_mean_in_whole_numbers(times):
    """The mean of the two in the middle is taken with //.

    Feedback: it is not the value in the middle of the sorted times
    """
    # wrong for: f([1, 2]) gives 1, right 1.5
    s = sorted(times)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) // 2


def wrong_sorted_by_size(times):
    """Sorted without regard to the sign, as if all numbers were times.

    Feedback: numbers below 0 are sorted by their size
    """
    # wrong for: f([-5, 1, 2]) gives 2, right 1
    s = sorted(times, key=abs)
    n = len(s)
    return s[n // 2] if n % 2 else (s[n // 2 - 1] + s[n // 2]) / 2


def wrong_as_many_below_as_above(times):
    """Looks for a number with as many below as above, which need not exist when numbers are equal;
    then the mean.

    Feedback: this is the mean of all times
    """
    # wrong for: f([1, 1, 7]) gives 3.0, right 1
    for x in times:
        if sum(y < x for y in times) == sum(y > x for y in times):
            return x
    if len(times) % 2 == 0:
        s = sorted(times)
        return (s[len(s) // 2 - 1] + s[len(s) // 2]) / 2
    return sum(times) / len(times)


def wrong_upper_of_the_two(times):
    """With two numbers in the middle the upper one is returned.

    Feedback: this is the upper of the two in the middle
    """
    # wrong for: f([1, 2, 3, 4]) gives 3, right 2.5
    return sorted(times)[len(times) // 2]


def right_outer_pair_off(times):
    """Recursion: take the smallest and the largest away until one or two are left."""

    def peel(s):
        if len(s) == 1:
            return s[0]
        return (s[0] + s[1]) / 2 if len(s) == 2 else peel(s[1:-1])

    s = sorted(times)
    far = max(0, (len(s) - 400) // 2)  # a long list loses most of its pairs at once
    return peel(s[far : len(s) - far])


def right_half_a_heap(times):
    """The larger half from a heap; its smallest, or the mean with the one below it."""
    n = len(times)
    top = heapq.nlargest(n // 2 + 1, times)
    if n % 2:
        return top[-1]
    ordered = []
    for x in top[-2:]:
        insort(ordered, x)
    return (ordered[0] + ordered[1]) / 2


# STATEMENT: "numbers" may be negative, whole, or infinite? Two in the middle whose sum overflows (1e308) are not spoken of
# (statistics.median gives inf too). "Whatever order" says nothing of NaN.
