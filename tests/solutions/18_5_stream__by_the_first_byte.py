def unfinished(data):
    """How many bytes at the end begin a character that is not whole yet: its first byte tells."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte >= 0xC0:
            needed = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if back < needed else 0
    return 0


def stream(tokens):
    """Hold back what is unfinished."""
    texts, waiting = [], b""
    for token in tokens:
        waiting += bytes(token)
        end = len(waiting) - unfinished(waiting)
        texts.append(waiting[:end].decode())
        waiting = waiting[end:]
    return [*texts, "\ufffd" if waiting else ""]
