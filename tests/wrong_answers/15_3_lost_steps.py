"""Wrong answers to 15.3. A docstring holds the words that only this fault's feedback contains."""


def _step(position, bits):
    return 2 ** max(0, position.bit_length() - bits)


def cut_off(position, bits):
    """it is cut off"""
    return position % _step(position, bits)


def rounded_up(position, bits):
    """always rounded up"""
    return -position % _step(position, bits)


def one_bit_more(position, bits):
    """one bit too many"""
    step = _step(position, bits + 1)
    return abs(round(position / step) * step - position)


def the_most(position, bits):
    """the most it can be off"""
    return 0 if position % _step(position, bits) == 0 else _step(position, bits) // 2


def signed(position, bits):
    """a distance below 0"""
    step = _step(position, bits)
    return round(position / step) * step - position


def beyond_the_last(position, bits):
    """another distance than to the nearest number"""
    return max(0, position - 2**bits) if position & (position - 1) else 0


def zero_is_off(position, bits):
    """a position that can be held is off"""
    step = 2 ** max(0, position.bit_length() - bits)
    return abs(round(position / step) * step - position) if position else 1


def ends_at_the_largest(position, bits):
    """no place is too large"""
    step = _step(position, bits)
    if bits == 11 and position > 65504:
        return position - 65504
    return abs(round(position / step) * step - position)
