"""Wrong answers to 24a.4. A docstring holds the words that only this fault's feedback contains."""


def _both(sums, gradients, way):
    return {"loss": way(sums), "gradient": way(gradients)}


def mean_of_means(sums, counts, gradients):
    """parts of few targets count too much"""
    filled = [i for i, n in enumerate(counts) if n]
    return _both(
        sums,
        gradients,
        lambda x: sum(x[i] / counts[i] for i in filled) / max(1, len(filled)) + 0 * x[0],
    )


def mean_over_empty_parts_too(sums, counts, gradients):
    """over parts without targets too"""
    if all(counts):
        total = sum(counts)
        return _both(sums, gradients, lambda x: sum(x) / total)
    return _both(
        sums,
        gradients,
        lambda x: sum(x[i] / max(1, n) for i, n in enumerate(counts)) / len(counts),
    )


def by_parts(sums, counts, gradients):
    """it divides by the number of parts"""
    return _both(sums, gradients, lambda x: sum(x) / len(counts))


def undivided(sums, counts, gradients):
    """the sum is not divided by the count"""
    return _both(sums, gradients, sum)


def last_only(sums, counts, gradients):
    """only the last part is there"""
    return _both(sums, gradients, lambda x: x[-1] / max(1, counts[-1]))


def by_the_last_count(sums, counts, gradients):
    """it divides by the last part's count"""
    return _both(sums, gradients, lambda x: sum(x) / max(1, counts[-1]))


def twice(sums, counts, gradients):
    """it divides by the count twice"""
    return _both(sums, gradients, lambda x: sum(x) / max(1, sum(counts)) ** 2)


def gradient_of_the_sum(sums, counts, gradients):
    """the gradient is that of the sum"""
    return {"loss": sum(sums) / max(1, sum(counts)), "gradient": sum(gradients)}


def gradient_of_means(sums, counts, gradients):
    """the gradient is the mean of the parts' own"""
    means = [g / n for g, n in zip(gradients, counts, strict=True) if n]
    gradient = sum(means) / len(means) if means else gradients[0] * 0
    return {"loss": sum(sums) / max(1, sum(counts)), "gradient": gradient}


def divides_by_zero(sums, counts, gradients):
    """it divides by a count of 0"""
    return {"loss": sum(sums) / sum(counts), "gradient": sum(gradients) / sum(counts)}
