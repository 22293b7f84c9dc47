"""Wrong answers to 25.2. A docstring holds the words that only this fault's feedback contains."""


def _steps(B, T, V, C, L, h, factor=6, pairs=2):
    return factor * B * T * (L * (4 * C * C + 2 * C * h) + C * V + L * pairs * T * C)


def forward_alone(B, T, V, C, L, h):
    """the forward pass alone"""
    return _steps(B, T, V, C, L, h, factor=2)


def backward_like_forward(B, T, V, C, L, h):
    """backward takes twice as much as forward"""
    return _steps(B, T, V, C, L, h, factor=4)


def multiply_adds(B, T, V, C, L, h):
    """a product and a sum are two operations"""
    return _steps(B, T, V, C, L, h, factor=3)


def no_pairs(B, T, V, C, L, h):
    """the pairs of attention are missing"""
    return _steps(B, T, V, C, L, h, pairs=0)


def scores_only(B, T, V, C, L, h):
    """attention takes each pair twice"""
    return _steps(B, T, V, C, L, h, pairs=1)


def no_head(B, T, V, C, L, h):
    """the head is missing"""
    return _steps(B, T, 0, C, L, h)


def token_table_too(B, T, V, C, L, h):
    """looked up, and not multiplied"""
    return _steps(B, T, V, C, L, h) + 6 * B * T * V * C


def positions_too(B, T, V, C, L, h):
    """added, and not multiplied"""
    return _steps(B, T, V, C, L, h) + 6 * B * T * T * C


def hidden_is_four_widths(B, T, V, C, L, h):
    """the hidden width is taken as four times C"""
    return _steps(B, T, V, C, L, 4 * C)


def one_row(B, T, V, C, L, h):
    """only one row of the batch"""
    return _steps(1, T, V, C, L, h)


def pairs_of_one_token(B, T, V, C, L, h):
    """the pairs of one token are counted"""
    return _steps(B, T, V, C, L, h, pairs=0) + 6 * L * 2 * T * C


def visible_pairs(B, T, V, C, L, h):
    """hidden pairs are computed as well"""
    return _steps(B, T, V, C, L, h, pairs=0) + 6 * L * B * T * (T + 1) * C
