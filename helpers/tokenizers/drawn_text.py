"""Texts for tokenizers: some written for the course, and strings of every kind that they trip over.

All scripts, emoji, white space of every kind, control characters, long runs, digits of all scripts,
code, English with its endings, and special tokens whole and cut short. Characters are those of the
course's own table: each Python has other ones, and a newer character may be a letter to one library
and nothing to another. Everything is drawn by `Random.random` alone, the one method whose numbers
Python promises to keep.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Sequence
from functools import cache
from random import Random
from typing import TypeVar

from helpers.files import ROOT

T = TypeVar("T")
TEXTS = ROOT / "data" / "texts"
CHARACTERS = TEXTS / "characters.txt"

EMOJI = "😀 😂 🙏 👍🏽 👩‍👩‍👧‍👦 🏳️‍🌈 🇫🇷 🇯🇵 1️⃣ ❤️ ☕ 🧑🏿‍🚀 ™️".split()
WORDS = (
    "the The THE a I'm you're they've she'll he'd it's 's 'S don't naïve coöperate Zürich façade "
    "Straße ﬁnd e-mail U.S.A. http://a.b/c?d=e&f=%20 x@y.z #tag $5.00 50% 1,234.5 1e-10 0xFF 3rd"
).split()
CODE = (
    "def f(x):\n    return x**2\n",
    "for (int i = 0; i < n; ++i) {\n\ta[i] += b[i];\n}\n",
    "{'key': [1, 2.5, None], \"é\": '\\n'}",
    "if a != b and not c:\n        print(f'{a:>8}')\r\n",
    '<div class="x">&nbsp;</div><!-- a -->',
    "SELECT * FROM t WHERE a >= 10;\n\n\n",
    "// ----------------------------------\n",
    "\\frac{1}{2} \\sum_{i=0}^{n} x_i",
)
JOINS = (
    "\u200b",  # zero width space
    "\u200d",  # zero width joiner
    "\u200e",  # left-to-right mark
    "\ufeff",  # byte order mark
    "\u0301",  # a combining accent
    "\ufe0f",  # asks for an emoji's picture
    "\ufffd",  # the replacement character itself
    "\x00",
    "\x04",
    "\x1b[0m",
    "\x7f",
)


def table_of_this_python() -> str:
    """The text of the table, as this Python's Unicode data has it: ranges, numbers marked N.

    The one that is kept was made by Python 3.11, whose data is Unicode 14.
    """
    lines, start, before = [], 0, ""
    for code in range(sys.maxunicode + 2):
        category = unicodedata.category(chr(code)) if code <= sys.maxunicode else "Cn"
        kind = "" if category in ("Cn", "Cs") else "N" if category[0] == "N" else "-"
        if kind != before:
            if before:
                lines.append(f"{start:X} {code - 1:X} {before}")
            start, before = code, kind
    return "\n".join(lines) + "\n"


@cache
def _characters(kinds: str) -> str:
    found = []
    for line in CHARACTERS.read_text(encoding="ascii").splitlines():
        first, last, kind = line.split()
        if kind in kinds:
            found += map(chr, range(int(first, 16), int(last, 16) + 1))
    return "".join(found)


def known_characters() -> str:
    """Every character that has a meaning, or is kept for private use, by the course's table."""
    return _characters("-N")


def numbers() -> str:
    """Every digit and number of every script, by the course's table."""
    return _characters("N")


@cache
def white_space() -> str:
    """Every character that str.isspace takes for white space; there are 29, in every Python."""
    return "".join(c for c in map(chr, range(0x3001)) if c.isspace())


def drawn_strings(count: int, seed: int, special: tuple[str, ...] = ()) -> Iterator[str]:
    """Draw strings of one to six parts of different kinds; the same seed gives the same ones.

    special: texts of special tokens, which then stand in some strings, whole or cut short.
    """
    dice = Random(seed)
    kinds = [_neighbours, _any, _emoji, _spaces, _run, _digits, _words, _code, _joins]
    for _ in range(count):
        parts = []
        for _ in range(whole(dice, 1, 6)):
            if special and dice.random() < 0.08:
                text = one_of(dice, special)
                parts.append(text[: one_of(dice, (len(text), len(text), len(text) - 1, 3))])
            else:
                parts.append(one_of(dice, kinds)(dice))
        yield one_of(dice, ("", "", " ", "\n")).join(parts)


def whole(dice: Random, least: int, most: int) -> int:
    """Draw a whole number between two others, both included."""
    return least + int(dice.random() * (most - least + 1))


def one_of(dice: Random, choices: Sequence[T]) -> T:
    """Draw one of some things, each as likely."""
    return choices[int(dice.random() * len(choices))]


def _some(dice: Random, choices: Sequence[str], most: int) -> list[str]:
    return [one_of(dice, choices) for _ in range(whole(dice, 1, most))]


def _neighbours(dice: Random) -> str:
    """A word of one script: characters that stand near one another."""
    known = known_characters()
    # half of all characters are Chinese or private: the square favours what comes before them
    start = int(dice.random() ** 2 * (len(known) - 40))
    return "".join(_some(dice, known[start : start + 40], 12))


def _any(dice: Random) -> str:
    return "".join(_some(dice, known_characters(), 6))


def _emoji(dice: Random) -> str:
    return "".join(_some(dice, EMOJI, 3))


def _spaces(dice: Random) -> str:
    return "".join(_some(dice, (" ", "  ", "\n", "\t", "\r\n", *white_space()), 6))


def _run(dice: Random) -> str:
    one = one_of(dice, (*"a =-.0\n\té", one_of(dice, known_characters())))
    return one * one_of(dice, (2, 3, 4, 7, 16, 31, 64, 200))


def _digits(dice: Random) -> str:
    return "".join(_some(dice, one_of(dice, ("0123456789", "0123456789.,-+ ", numbers())), 10))


def _words(dice: Random) -> str:
    return one_of(dice, (" ", " ", "  ", "\n", "")).join(_some(dice, WORDS, 6))


def _code(dice: Random) -> str:
    text = one_of(dice, CODE)
    start = int(dice.random() * len(text))
    return text[start : start + whole(dice, 1, 40)]


def _joins(dice: Random) -> str:
    return "".join(_some(dice, ("a", ".", " ", "1", *JOINS), 8))
