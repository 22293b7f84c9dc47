"""Names that strangers chose, of files and of people: kept apart."""

import hashlib
import unicodedata

from helpers.exercises.handed.names import printable


def composed(name: str) -> str:
    """Return a name with each accent in one sign with its letter: systems differ in this.

    (Unicode promises that what it knows is composed alike for ever, so every Python agrees.)
    """
    return unicodedata.normalize("NFC", name)


def distinct(name: str) -> str:
    """Return a printable name; two different names stay different."""
    shown = printable(name)
    if shown == name:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
    return f"{shown[:70]} {digest[:16]}"
