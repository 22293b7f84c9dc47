"""Names that strangers chose, of files and of people: made fit to be shown, and kept apart."""

import hashlib
import os
import unicodedata

import regex

# by the tables of a pinned package: each Python has its own
SHOWS = regex.compile(r"[^\p{C}\p{Z}]| ")


def readable(name: str) -> str:
    """Return a file's name; bytes in it that are no text, of another system, as their numbers."""
    return os.fsencode(name).decode("utf-8", "backslashreplace")


def composed(name: str) -> str:
    """Return a name with each accent in one sign with its letter: systems differ in this.

    (Unicode promises that what it knows is composed alike for ever, so every Python agrees.)
    """
    return unicodedata.normalize("NFC", name)


def printable(text: str, length: int = 80) -> str:
    """Return a text without anything that steers a terminal, and not too long."""
    kept = (sign if _shows(sign) else "\N{REPLACEMENT CHARACTER}" for sign in text[:length])
    return "".join(kept)


def distinct(name: str) -> str:
    """Return a printable name; two different names stay different."""
    shown = printable(name)
    if shown == name:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{shown[:70]} {digest[:16]}"


def _shows(sign: str) -> bool:
    return SHOWS.match(sign) is not None
