"""Wrong answers to 13.1. A docstring holds the words that only this fault's feedback contains."""


def _pieces(source, text):
    return source * source, text * source, text * (text + 1) // 2


def _right(family, source, text):
    n = source + text
    if family == "encoder":
        return n * n
    if family == "decoder":
        return n * (n + 1) // 2
    return sum(_pieces(source, text))


def no_diagonal(family, source, text):
    """the diagonal is missing"""
    n = source + text
    return n * (n - 1) // 2 if family == "decoder" else _right(family, source, text)


def encoder_of_the_source(family, source, text):
    """not the source alone"""
    return source * source if family == "encoder" else _right(family, source, text)


def no_cross_attention(family, source, text):
    """the table of cross-attention is missing"""
    right = _right(family, source, text)
    return right - text * source if family == "encoder-decoder" else right


def no_encoder(family, source, text):
    """the table of the encoder is missing"""
    right = _right(family, source, text)
    return right - source * source if family == "encoder-decoder" else right


def prefix_as_two_texts(family, source, text):
    """prefix: the text sees the source too"""
    right = _right(family, source, text)
    return right - text * source if family == "prefix" else right


def causal_prefix(family, source, text):
    """prefix: the source is read one way only"""
    return _right("decoder" if family == "prefix" else family, source, text)


def writer_without_its_past(family, source, text):
    """the decoder's own table is missing"""
    square, rectangle, _ = _pieces(source, text)
    return square + rectangle if family == "encoder-decoder" else _right(family, source, text)
