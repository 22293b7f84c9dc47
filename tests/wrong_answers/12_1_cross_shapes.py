"""Wrong answers to 12.1. A docstring holds the words that only this fault's feedback contains."""


def _shapes(B, Tq, Tk, C, H, **other):
    D = C // H
    right = {
        "query": [B, H, Tq, D],
        "key": [B, H, Tk, D],
        "weights": [B, H, Tq, Tk],
        "output": [B, Tq, C],
    }
    return right | other


def key_from_the_text(B, Tq, Tk, C, H):
    """the keys come from the source"""
    return _shapes(B, Tq, Tk, C, H, key=[B, H, Tq, C // H])


def query_from_the_source(B, Tq, Tk, C, H):
    """the queries come from the text"""
    return _shapes(B, Tq, Tk, C, H, query=[B, H, Tk, C // H])


def weights_transposed(B, Tq, Tk, C, H):
    """a row for each query and a column for each key"""
    return _shapes(B, Tq, Tk, C, H, weights=[B, H, Tk, Tq])


def output_follows_the_source(B, Tq, Tk, C, H):
    """however long the source is"""
    return _shapes(B, Tq, Tk, C, H, output=[B, Tk, C])


def heads_of_full_width(B, Tq, Tk, C, H):
    """the heads share the width"""
    return _shapes(B, Tq, Tk, C, H, query=[B, H, Tq, C], key=[B, H, Tk, C])


def heads_not_merged(B, Tq, Tk, C, H):
    """the heads are merged again"""
    return _shapes(B, Tq, Tk, C, H, output=[B, H, Tq, C // H])


def heads_not_split(B, Tq, Tk, C, H):
    """an axis for the heads"""
    return _shapes(B, Tq, Tk, C, H, query=[B, Tq, C], key=[B, Tk, C])


def heads_after_the_positions(B, Tq, Tk, C, H):
    """the axis of the heads comes before"""
    return _shapes(B, Tq, Tk, C, H, query=[B, Tq, H, C // H], key=[B, Tk, H, C // H])


def weights_square(B, Tq, Tk, C, H):
    """a square only when both lengths"""
    return _shapes(B, Tq, Tk, C, H, weights=[B, H, Tq, Tq])
