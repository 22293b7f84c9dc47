"""Wrong answers to 22.5. A docstring holds the words that only this fault's feedback contains."""


def _answer(given, operations=2, up=0, **changes):
    given = given | changes
    multiply_adds = given["weights"] + given["attention"]
    gain = operations * multiply_adds * given["bandwidth"] - given["cache"] * given["speed"]
    if gain <= 0:
        return None
    return -(-given["read"] * given["speed"] // gain) + up


def one_operation(given):
    """a multiply-add is two operations"""
    return _answer(given, operations=1)


def no_cache(given):
    """each row has a cache to read as well"""
    return None if _answer(given) is None else _answer(given, cache=0)


def no_attention(given):
    """attention is arithmetic too"""
    return _answer(given, attention=0)


def rounded_down(given):
    """one row too few"""
    multiply_adds = given["weights"] + given["attention"]
    gain = 2 * multiply_adds * given["bandwidth"] - given["cache"] * given["speed"]
    return None if gain <= 0 else given["read"] * given["speed"] // gain


def strictly_longer(given):
    """one row too many"""
    multiply_adds = given["weights"] + given["attention"]
    gain = 2 * multiply_adds * given["bandwidth"] - given["cache"] * given["speed"]
    return None if gain <= 0 else given["read"] * given["speed"] // gain + 1


def always_a_number(given):
    """each row's cache takes as long as its arithmetic or longer"""
    return _answer(given) or _answer(given, cache=0)
