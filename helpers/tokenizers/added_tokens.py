"""Tokens that are looked for in a text as it stands, before anything is cut or merged.

All special tokens are such, the commands to a model, and so are texts like `<think>` that are none
but must stay whole. How they are looked for is what the tokenizers library does, to the id.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import regex

_BLANKS_BEHIND = regex.compile(r"\p{White_Space}*")
_WORD = regex.compile(r"[\p{Alphabetic}\p{M}\p{Nd}\p{Pc}\p{Join_Control}]")


@dataclass(frozen=True, kw_only=True)
class AddedToken:
    """How one such text is looked for; the names are those of the library's files.

    id: what it becomes. special: a command to a model. lstrip, rstrip: the white space before and
    behind it belongs to it. single_word: it counts only where no letter or digit touches it.
    normalized: it is looked for in what the others left. ordinary: the vocabulary has it too, so
    merges may make it.
    """

    id: int
    special: bool = False
    lstrip: bool = False
    rstrip: bool = False
    single_word: bool = False
    normalized: bool = False
    ordinary: bool = False


def split(
    text: str, added: Mapping[str, AddedToken], hidden: Collection[str] = ()
) -> Iterator[tuple[str, int | None]]:
    """Cut a text into (ordinary text, None) and (an added token with its blanks, its id).

    Where several fit at one place, the longest counts. hidden: those that are ordinary text here,
    and with them what stands inside them.
    """
    first = {name: token for name, token in added.items() if not token.normalized}
    later = {name: token for name, token in added.items() if token.normalized}
    for part, token in _cut(text, first, hidden):
        if token is None:
            yield from _cut(part, later, hidden)
        else:
            yield part, token


def _cut(
    text: str, added: Mapping[str, AddedToken], hidden: Collection[str]
) -> Iterator[tuple[str, int | None]]:
    done = 0
    for match in _search(added, text):
        token = added[match[0]]
        start, end = match.span()
        if match[0] in hidden or (token.single_word and _touched(text, start, end)):
            continue
        if token.lstrip:
            start = max(done, _before_blanks(text, start))
        if token.rstrip:
            end = _BLANKS_BEHIND.match(text, end).end()
        if done < start:
            yield text[done:start], None
        if start < end:  # else it is white space that the one before took already
            yield text[start:end], token.id
        done = end
    if done < len(text):
        yield text[done:], None


def _search(names: Collection[str], text: str) -> Sequence[regex.Match] | Iterator[regex.Match]:
    longest_first = sorted(names, key=len, reverse=True)
    return regex.finditer("|".join(map(regex.escape, longest_first)), text) if names else ()


def _before_blanks(text: str, place: int) -> int:
    while place and _BLANKS_BEHIND.fullmatch(text, place - 1, place):
        place -= 1
    return place


def _touched(text: str, start: int, end: int) -> bool:
    """Whether a letter, digit or the like stands right before or behind."""
    return bool((start and _WORD.match(text, start - 1)) or _WORD.match(text, end))
