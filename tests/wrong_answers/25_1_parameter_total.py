"""Wrong answers to 25.1. A docstring holds the words that only this fault's feedback contains."""


def _count(V, C, T, L, h, tied, bias):
    norm = 2 * C if bias else C
    block = 4 * C * C + 2 * C * h + 2 * norm + (5 * C + h if bias else 0)
    return V * C + T * C + L * block + norm + (0 if tied else V * C) + (V if bias else 0)


def tied_counted_twice(V, C, T, L, h, tied, bias):
    """a tied head is the token table"""
    return _count(V, C, T, L, h, False, bias)


def norms_forgotten(V, C, T, L, h, tied, bias):
    """the norms learn numbers as well"""
    return _count(V, C, T, L, h, tied, bias) - (2 * L + 1) * (2 * C if bias else C)


def last_norm_forgotten(V, C, T, L, h, tied, bias):
    """the norm in front of the head is missing"""
    return _count(V, C, T, L, h, tied, bias) - (2 * C if bias else C)


def one_norm_a_block(V, C, T, L, h, tied, bias):
    """a block has two norms"""
    return _count(V, C, T, L, h, tied, bias) - L * (2 * C if bias else C)


def no_positions(V, C, T, L, h, tied, bias):
    """the table of positions is missing"""
    return _count(V, C, 0, L, h, tied, bias)


def hidden_is_four_widths(V, C, T, L, h, tied, bias):
    """the hidden width is taken as four times C"""
    return _count(V, C, T, L, 4 * C, tied, bias)


def attention_without_biases(V, C, T, L, h, tied, bias):
    """the four matrices of attention have biases as well"""
    return _count(V, C, T, L, h, tied, bias) - (4 * C * L if bias else 0)


def head_without_bias(V, C, T, L, h, tied, bias):
    """the head has a bias as well"""
    return _count(V, C, T, L, h, tied, bias) - (V if bias else 0)


def always_with_biases(V, C, T, L, h, tied, bias):
    """biases are counted where there are none"""
    return _count(V, C, T, L, h, tied, True)


def never_with_biases(V, C, T, L, h, tied, bias):
    """biases are left out where there are some"""
    return _count(V, C, T, L, h, tied, False)


def always_tied(V, C, T, L, h, tied, bias):
    """a head of its own has a matrix of its own"""
    return _count(V, C, T, L, h, True, bias)


def one_block(V, C, T, L, h, tied, bias):
    """only one block is counted"""
    return _count(V, C, T, 1, h, tied, bias)
