import hashlib


def text_if_whole(content):
    """The line has 64 letters, so the places are known."""
    body = content[65:]
    wanted = hashlib.sha256(bytes(body, "utf-8")).digest().hex() + chr(10)
    if content[:65] != wanted:
        return None
    return body
