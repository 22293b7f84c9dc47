def stream(tokens):
    """Return the text that becomes whole with each token, and at last what is left.

    tokens: the bytes of each, as a list of whole numbers.
    """
    texts, waiting = [], b""
    for token in tokens:
        waiting += bytes(token)
        try:
            texts.append(waiting.decode())
            waiting = b""
        except UnicodeDecodeError as error:
            texts.append(waiting[: error.start].decode())
            waiting = waiting[error.start :]
    return [*texts, waiting.decode(errors="replace")]
