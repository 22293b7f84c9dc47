def hidden_width(C, multiple):
    """Go up one multiple at a time until the parameters are enough."""
    h = multiple
    while 3 * C * h < 2 * C * 4 * C:
        h += multiple
    return h
