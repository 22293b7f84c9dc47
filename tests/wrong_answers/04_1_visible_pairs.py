"""Wrong answers to 04.1. A docstring holds the words that only this fault's feedback contains."""


def full_rows(length, width):
    """no past to fill the window"""
    return length * min(width, length)


def width_besides_itself(length, width):
    """counts the token itself as well"""
    return sum(min(i + 1, width + 1) for i in range(length))


def without_itself(length, width):
    """its own is one of them"""
    return sum(min(i, width) for i in range(length))


def no_window(length, width):
    """the window has no effect"""
    return length * (length + 1) // 2


def beyond_the_length(length, width):
    """does not give the causal triangle"""
    return width * (width + 1) // 2 + (length - width) * width


def a_float(length, width):
    """a float where a whole number"""
    width = min(width, length)
    return width * (width + 1) / 2 + (length - width) * width


def builds_the_mask(length, width):
    """took longer than"""
    return sum(0 <= i - s < width for i in range(length) for s in range(length))


def _kept(counts={}):  # noqa: B006
    return counts


def kept_by_length(length, width):
    """for another width is given again"""
    cut = min(width, length)
    return _kept().setdefault(length, cut * (cut + 1) // 2 + (length - cut) * cut)
