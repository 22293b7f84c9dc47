"""Wrong answers to 24b.6. A docstring holds the words that only this fault's feedback contains."""

import hashlib


def _digest(body):
    return hashlib.sha256(body.encode()).hexdigest()


def stripped(content):
    """spaces or newlines at an end of the text are lost"""
    line, newline, body = content.partition("\n")
    return body.strip() if newline and line == _digest(body) else None


def without_last_newline(content):
    """newlines at the end of the text are lost"""
    line, newline, body = content.partition("\n")
    return body.rstrip("\n") if newline and line == _digest(body) else None


def lines_joined(content):
    """lines are taken apart"""
    line, newline, body = content.partition("\n")
    return "\n".join(body.splitlines()) if newline and line == _digest(body) else None


def one_line(content):
    """only one line is returned"""
    line, newline, body = content.partition("\n")
    return body.split("\n")[0] if newline and line == _digest(body) else None


def everything(content):
    """the first line is returned as well"""
    line, newline, body = content.partition("\n")
    return content if newline and line == _digest(body) else None


def empty_is_none(content):
    """an empty text is whole as well"""
    line, newline, body = content.partition("\n")
    return body or None if newline and line == _digest(body) else None


def never_looks(content):
    """it never looks at the digest"""
    return content.partition("\n")[2]


def half_the_digest(content):
    """half of the digest is enough for it"""
    line, newline, body = content.partition("\n")
    return body if newline and len(line) >= 32 and _digest(body).startswith(line) else None


def digest_and_more(content):
    """more than the digest stands in the line"""
    line, newline, body = content.partition("\n")
    return body if newline and line.startswith(_digest(body)) else None


def spaces_around(content):
    """the line may not hold more than the digest"""
    line, newline, body = content.partition("\n")
    return body if newline and line.strip() == _digest(body) else None


def capitals(content):
    """capitals are other digits here"""
    line, newline, body = content.partition("\n")
    return body if newline and line.lower() == _digest(body) else None


def no_newline_needed(content):
    """a file without a newline is believed"""
    line, _, body = content.partition("\n")
    return body if line == _digest(body) else None


def a_digest_will_do(content):
    """any line of 64 digits is believed"""
    line, newline, body = content.partition("\n")
    return body if newline and len(line) == 64 else None


def digest_returned(content):
    """the digest is returned, not the text"""
    line, newline, body = content.partition("\n")
    return line if newline and line == _digest(body) else None
