def largest_length(memory, heads, blocks, bytes_each):
    """Halve the range in which the answer lies."""

    def fits(T):
        return heads * blocks * bytes_each * T * T <= memory

    too_long = 1
    while fits(too_long):
        too_long *= 2
    fitting = 0
    while too_long - fitting > 1:
        middle = (fitting + too_long) // 2
        if fits(middle):
            fitting = middle
        else:
            too_long = middle
    return fitting
