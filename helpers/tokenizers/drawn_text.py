"""Texts for tokenizers: some written for the course, and strings of every kind that they trip over.

All scripts, emoji, white space of every kind, control characters, long runs, digits of all scripts,
code, English with its endings, and special tokens whole and cut short. Characters are those that
this Python's Unicode tables know: newer ones may be letters to one library and nothing to another.
"""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator
from functools import cache
from random import Random

from helpers.files import ROOT

TEXTS = ROOT / "data" / "texts"

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


@cache
def known_characters() -> str:
    """Every character that has a meaning, or is kept for private use, in this Python's tables."""
    characters = map(chr, range(sys.maxunicode + 1))
    return "".join(c for c in characters if unicodedata.category(c) not in ("Cn", "Cs"))


@cache
def _of_kind(*kinds: str) -> str:
    return "".join(c for c in known_characters() if unicodedata.category(c) in kinds)


@cache
def white_space() -> str:
    """Every character that str.isspace takes for white space."""
    return "".join(c for c in known_characters() if c.isspace())


def drawn_strings(count: int, seed: int, special: tuple[str, ...] = ()) -> Iterator[str]:
    """Draw strings of one to six parts of different kinds; the same seed gives the same ones.

    special: texts of special tokens, which then stand in some strings, whole or cut short.
    """
    dice = Random(seed)
    kinds = [_neighbours, _any, _emoji, _spaces, _run, _digits, _words, _code, _joins]
    for _ in range(count):
        parts = []
        for _ in range(dice.randint(1, 6)):
            if special and dice.random() < 0.08:
                text = dice.choice(special)
                parts.append(text[: dice.choice((len(text), len(text), len(text) - 1, 3))])
            else:
                parts.append(dice.choice(kinds)(dice))
        yield dice.choice(("", "", " ", "\n")).join(parts)


def _neighbours(dice: Random) -> str:
    """A word of one script: characters that stand near one another."""
    known = known_characters()
    # half of all characters are Chinese or private: the square favours what comes before them
    start = int(dice.random() ** 2 * (len(known) - 40))
    return "".join(dice.choices(known[start : start + 40], k=dice.randint(1, 12)))


def _any(dice: Random) -> str:
    return "".join(dice.choices(known_characters(), k=dice.randint(1, 6)))


def _emoji(dice: Random) -> str:
    return "".join(dice.choices(EMOJI, k=dice.randint(1, 3)))


def _spaces(dice: Random) -> str:
    kinds = (" ", "  ", "\n", "\t", "\r\n", *white_space())
    return "".join(dice.choices(kinds, k=dice.randint(1, 6)))


def _run(dice: Random) -> str:
    one = dice.choice((*"a =-.0\n\té", dice.choice(known_characters())))
    return one * dice.choice((2, 3, 4, 7, 16, 31, 64, 200))


def _digits(dice: Random) -> str:
    source = dice.choice(("0123456789", "0123456789.,-+ ", _of_kind("Nd", "Nl", "No")))
    return "".join(dice.choices(source, k=dice.randint(1, 10)))


def _words(dice: Random) -> str:
    return dice.choice((" ", " ", "  ", "\n", "")).join(dice.choices(WORDS, k=dice.randint(1, 6)))


def _code(dice: Random) -> str:
    text = dice.choice(CODE)
    start = dice.randrange(len(text))
    return text[start : start + dice.randint(1, 40)]


def _joins(dice: Random) -> str:
    return "".join(dice.choices(("a", ".", " ", "1", *JOINS), k=dice.randint(1, 8)))
