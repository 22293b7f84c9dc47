def slopes(heads):
    """Return ALiBi's slopes for this number of heads, a list of floats."""
    power = 1
    while 2 * power <= heads:
        power *= 2
    own = [2 ** (-8 * h / power) for h in range(1, power + 1)]
    # every other one of those for twice as many heads: the ones between them are there already
    # (the prediction: for 12 heads 1/2, 0.707 and 0.354, three, lie above 1/4)
    missing = range(1, 2 * (heads - power), 2)
    return own + [2 ** (-8 * h / (2 * power)) for h in missing]
