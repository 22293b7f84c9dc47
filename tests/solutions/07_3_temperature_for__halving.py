def temperature_for(share):
    """By halving an interval of 1/T, on the law 1/2, 1/4, 1/4 itself, without the formula."""

    def style_0(inverse):
        photo, size = 0.5**inverse, 0.25**inverse
        return photo / (photo + 2 * size)

    low, high = 0.0, 60.0  # of 1/T: hot, cold
    if share <= style_0(low) or share >= style_0(high):
        return None
    for _ in range(100):
        middle = (low + high) / 2
        if style_0(middle) < share:
            low = middle
        else:
            high = middle
    return 1 / low
