"""One rule for files from elsewhere: a field is read, is known to be harmless, or is refused.

Whoever reads a file made by others says which fields it reads, and which ones cannot change the
result. Anything else is named and refused: a field passed over in silence gives another model or
other ids than its makers meant, and nobody notices.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping


def refuse_unknown(
    fields: Mapping, read: Collection[str], harmless: Collection[str], where: str
) -> None:
    """Raise ValueError, naming the first field that is neither read nor harmless.

    read: the fields that the caller looks at. harmless: those that cannot change the result,
    whatever they say. where: the file's name, and the part of it, for the sentence.
    """
    for name, value in fields.items():
        if name not in read and name not in harmless:
            raise ValueError(
                f"{where} says {name} = {_short(value)}, which is not known here and could change "
                "the result; take a file without it"
            )


def refuse_other(
    fields: Mapping, only: Mapping[str, Collection], where: str, why: str = "is built here"
) -> None:
    """Raise ValueError, naming the first field that holds another value than the allowed ones.

    only: field -> the values that it may have, which change nothing; a field may be absent. where:
    as above. why: how the sentence goes on behind "only ...".
    """
    for name, allowed in only.items():
        if name in fields and not any(_same(fields[name], value) for value in allowed):
            known = " or ".join(map(repr, allowed))
            raise ValueError(f"{where} says {name} = {_short(fields[name])}; only {known} {why}")


def _same(value: object, other: object) -> bool:
    """Equal, and no truth value taken for a number."""
    return value == other and isinstance(value, bool) == isinstance(other, bool)


def _short(value: object) -> str:
    """A value in one line of a sentence."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
