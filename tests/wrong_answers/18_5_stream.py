"""Wrong answers to 18.5. A docstring holds the words that only this fault's feedback contains."""


def _stream(tokens):
    texts, waiting = [], b""
    for token in tokens:
        waiting += bytes(token)
        try:
            texts.append(waiting.decode())
            waiting = b""
        except UnicodeDecodeError as error:
            texts.append(waiting[: error.start].decode())
            waiting = waiting[error.start :]
    return texts, waiting


def each_alone(tokens):
    """each token is decoded by itself"""
    return [*(bytes(token).decode(errors="replace") for token in tokens), ""]


def throws_away(tokens):
    """parts of characters are thrown away"""
    return [*(bytes(token).decode(errors="ignore") for token in tokens), ""]


def all_at_the_end(tokens):
    """nothing is shown before the end"""
    whole = b"".join(bytes(token) for token in tokens)
    return [*("" for _ in tokens), whole.decode(errors="replace")]


def one_token_late(tokens):
    """one token late"""
    texts, waiting = _stream(tokens)
    left = waiting.decode(errors="replace")
    return ["", *texts[:-1], texts[-1] + left] if texts else [left]


def no_end(tokens):
    """the last text is missing"""
    return _stream(tokens)[0]


def says_nothing_at_the_end(tokens):
    """at the end is left out"""
    return [*_stream(tokens)[0], ""]


def one_mark_a_byte(tokens):
    """not several"""
    texts, waiting = _stream(tokens)
    return [*texts, "\ufffd" * len(waiting)]


def other_code(tokens):
    """the bytes are UTF-8"""
    return [*(bytes(token).decode("latin-1") for token in tokens), ""]
