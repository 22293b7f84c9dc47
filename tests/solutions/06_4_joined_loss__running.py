import math


def joined_loss(means, counts):
    """A running mean: each part moves it by its share of all targets so far."""
    loss, seen = 0.0, 0
    for i in range(len(means)):
        if not math.isnan(means[i]):
            seen += counts[i]
            loss += (means[i] - loss) * counts[i] / seen
    return loss
