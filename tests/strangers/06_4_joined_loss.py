import math
from fractions import Fraction
from statistics import fmean


def wrong_nan_times_zero(means, counts):
    """NaN is multiplied by its count of 0, which is NaN again.

    Feedback: the NaN of a part without targets gets through: 0 * NaN is NaN
    """
    # wrong for: f([1.0, nan], [2, 0]) gives nan, right 1.0
    total = sum(counts)
    return (
        sum(mean * count for mean, count in zip(means, counts, strict=True)) / total
        if total
        else 0.0
    )


def wrong_good_parts_do_not_count(means, counts):
    """Parts whose mean is 0 are skipped together with their targets.

    Feedback: a part whose mean is 0 is left out with its targets
    """
    # wrong for: f([1.0, 0.0], [2, 6]) gives 1.0, right 0.25
    parts = [(mean, count) for mean, count in zip(means, counts, strict=True) if count and mean]
    total = sum(count for _, count in parts)
    return sum(mean * count for mean, count in parts) / total if total else 0.0


def wrong_ends_at_an_empty_part(means, counts):
    """The first part without targets ends the loop, and what comes behind it is lost.

    Feedback: a part without targets changes the loss
    """
    # wrong for: f([1.0, nan, 0.5], [2, 0, 12]) gives 1.0, right 0.571
    total, number = 0.0, 0
    for mean, count in zip(means, counts, strict=True):
        if count == 0:
            break
        total, number = total + mean * count, number + count
    return total / number if number else 0.0


def wrong_equal_counts_once(means, counts):
    """The parts are kept in a dict by their count, so of parts with equal counts only the last is
    left.

    Feedback: other parts of the same rows give another loss
    """
    # wrong for: f([1.0, 0.0], [3, 3]) gives 0.0, right 0.5
    parts = dict(zip(counts, means, strict=True))
    parts.pop(0, None)
    return sum(mean * count for count, mean in parts.items()) / sum(parts) if parts else 0.0


def wrong_no_target_is_nan(means, counts):
    """A batch without any target has the loss NaN, as in torch.

    Feedback: NaN stands in what it returned
    """
    # wrong for: f([nan], [0]) gives nan, right 0
    parts = [(mean, count) for mean, count in zip(means, counts, strict=True) if count > 0]
    if not parts:
        return math.nan
    return sum(mean * count for mean, count in parts) / sum(count for _, count in parts)


def wrong_parts_of_one_are_noise(means, counts):
    """A part with a single target is left out: "no mean of one".

    Feedback: it gives another value
    """
    # wrong for: f([3.0, 1.0], [1, 1]) gives 0, right 2.0
    parts = [(mean, count) for mean, count in zip(means, counts, strict=True) if count > 1]
    total = sum(count for _, count in parts)
    return sum(mean * count for mean, count in parts) / total if total else 0.0


def right_exact_fractions(means, counts):
    """Sums and counts apart in exact fractions, divided once; an infinite mean stays infinite."""
    parts = [(mean, count) for mean, count in zip(means, counts, strict=True) if count]
    if not all(math.isfinite(mean) for mean, _ in parts):
        return sum(mean for mean, _ in parts)
    total, number = Fraction(0), Fraction(0)
    for mean, count in parts:
        total, number = total + Fraction(mean) * Fraction(count), number + Fraction(count)
    return float(total / number) if number else 0.0


def right_mean_with_weights(means, counts):
    """The standard library's mean with weights, over the parts that have any."""
    keep = [i for i, count in enumerate(counts) if count > 0]
    return fmean([means[i] for i in keep], weights=[counts[i] for i in keep]) if keep else 0.0


# STATEMENT: may both lists be empty (no part at all)? A NaN mean with targets (a broken run), an infinite mean, and counts as
# floats are not named.
