"""Wrong answers to 14.2. A docstring holds the words that only this fault's feedback contains."""


def _power(heads):
    return 2 ** (heads.bit_length() - 1)


def _own(power):
    return [2 ** (-8 * h / power) for h in range(1, power + 1)]


def one_formula(heads):
    """the formula for powers of two is used for every number"""
    return _own(heads)


def from_zero(heads):
    """h is counted from 0"""
    power = _power(heads)
    return [2 * 0 + 2 ** (-8 * h / power) for h in range(power)] + _own(2 * power)[0::2][
        : heads - power
    ]


def repeats(heads):
    """repeat slopes that are there"""
    power = _power(heads)
    return _own(power) + _own(2 * power)[1::2][: heads - power]


def not_every_other(heads):
    """all of the longer list is taken"""
    power = _power(heads)
    return _own(power) + _own(2 * power)[: heads - power]


def first_of_the_power_above(heads):
    """the first ones for the power of two above"""
    power = _power(heads)
    return _own(power) if power == heads else _own(2 * power)[:heads]


def sorted_down(heads):
    """the missing ones come last"""
    power = _power(heads)
    return sorted(_own(power) + _own(2 * power)[0::2][: heads - power], reverse=True)


def halving(heads):
    """they halve from head to head whatever H is"""
    return [2.0**-h for h in range(1, heads + 1)]


def negative(heads):
    """does not lie between 0 and 1"""
    return [-slope for slope in _own(heads)]


def powers_only(heads):
    """items where"""
    return _own(_power(heads))
