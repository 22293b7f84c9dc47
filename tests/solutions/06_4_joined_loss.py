def joined_loss(means, counts):
    """Return the loss of a whole batch that came in parts, as a number.

    means: the mean loss of each part, NaN for a part without targets. counts: its counted targets.

    Predicted and measured: for means [1, 0.5] and counts [2, 12] the mean of the means is 0.75.
    The truth is (2 + 6) / 14 = 0.571. Gradients are joined by the same rule, and so is the 2024
    bug: libraries that accumulated gradients averaged the means.
    """
    total = sum(mean * count for mean, count in zip(means, counts, strict=True) if count > 0)
    return total / max(sum(counts), 1)
