"""Wrong answers to 06.1. A docstring holds the words that only this fault's feedback contains."""


def all_tokens(lengths):
    """the first token of a row is nobody's next token"""
    return sum(lengths)


def padding_too(lengths):
    """padding is counted"""
    return len(lengths) * (max(lengths, default=1) - 1)


def without_the_end(lengths):
    """<eos> is a target like any other"""
    return sum(max(length - 2, 0) for length in lengths)


def at_least_one(lengths):
    """a row of one token asks nothing"""
    return sum(max(length - 1, 1) for length in lengths)


def one_first_token(lengths):
    """only one row's first token is left out"""
    return max(sum(lengths) - 1, 0)
