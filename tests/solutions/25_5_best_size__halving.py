import math


def best_size(A, B, a, b, flops):
    """Halve the range of ln N until the slope of the loss is 0."""
    budget = math.log(flops / 6)
    low, high = -200.0, 400.0
    for _ in range(200):
        middle = (low + high) / 2
        # is the parameters' term still steeper than the tokens' term?
        steeper = math.log(a * A) - a * middle > math.log(b * B) - b * (budget - middle)
        low, high = (middle, high) if steeper else (low, middle)
    return math.exp(low)
