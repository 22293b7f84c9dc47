def slopes(heads):
    """As the authors' code does: a function that calls itself for the power of two above."""
    if heads & (heads - 1) == 0:
        first = 2 ** (-8 / heads)
        return [first**h for h in range(1, heads + 1)]
    power = 2 ** (heads.bit_length() - 1)
    return slopes(power) + slopes(2 * power)[0::2][: heads - power]
