"""Wrong answers to 06.4. A docstring holds the words that only this fault's feedback contains."""

import math

EQUAL = {"True  ->  False": "both lists are of one length, so strict has nothing to say"}


def mean_of_means(means, counts):
    """it is the mean of the parts' means"""
    full = [mean for mean in means if not math.isnan(mean)]
    return sum(full) / max(len(full), 1)


def sum_of_losses(means, counts):
    """it is the sum of all losses"""
    return sum(mean * count for mean, count in zip(means, counts, strict=True) if count)


def zero_times_nan(means, counts):
    """the NaN of a part without targets gets through"""
    total = sum(mean * count for mean, count in zip(means, counts, strict=True))
    return total / sum(counts) if sum(counts) else 0.0


def divides_by_nothing(means, counts):
    """it divides by the count of no targets"""
    total = sum(mean * count for mean, count in zip(means, counts, strict=True) if count)
    return total / sum(counts)


def empty_part_counts(means, counts):
    """divided by as if it had one"""
    total = sum(mean * count for mean, count in zip(means, counts, strict=True) if count)
    return total / max(sum(max(count, 1) for count in counts), 1)
