"""Names that people chose, of files and of themselves: made fit to be shown."""

import os

import regex

# by the tables of a pinned package: each Python has its own
SHOWS = regex.compile(r"[^\p{C}\p{Z}]| ")


def readable(name: str) -> str:
    """Return a file's name; bytes in it that are no text, of another system, as their numbers."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def printable(text: str, length: int = 80) -> str:
    """Return a text without anything that steers a terminal, and not too long."""
    kept = (sign if _shows(sign) else "\N{REPLACEMENT CHARACTER}" for sign in text[:length])
    return "".join(kept)


def shown(name: object) -> str:
    """Return the name or the path of a file as it may be printed."""
    return printable(readable(str(name)), 1000)


def _shows(sign: str) -> bool:
    return SHOWS.match(sign) is not None
