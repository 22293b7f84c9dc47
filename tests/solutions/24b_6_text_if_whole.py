import hashlib


def text_if_whole(content):
    """Return the text behind the first line if its SHA-256 stands there, else None."""
    line, newline, body = content.partition("\n")
    whole = newline and line == hashlib.sha256(body.encode()).hexdigest()
    return body if whole else None
