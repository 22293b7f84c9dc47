"""Drawn strings are the same on every Python, their characters those of the course's table."""

import hashlib
import random
import unicodedata

from helpers.tokenizers import drawn_text
from helpers.tokenizers.drawn_text import drawn_strings, known_characters, numbers, white_space


def test_the_same_seed_gives_the_same_strings_on_every_python():
    text = "\n".join(drawn_strings(500, 1, ("<|im_end|>",)))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == "fcd71697fbd0781e"


def test_nothing_is_drawn_but_by_the_one_method_that_python_promises_to_keep(monkeypatch):
    class OnlyRandom:
        def __init__(self, seed):
            self.random = random.Random(seed).random

    whole = list(drawn_strings(200, 2))
    monkeypatch.setattr(drawn_text, "Random", OnlyRandom)
    assert list(drawn_strings(200, 2)) == whole


def test_the_table_of_characters_is_that_of_unicode_14():
    kept = drawn_text.CHARACTERS.read_text(encoding="ascii")
    if unicodedata.unidata_version == "14.0.0":  # Python 3.11
        assert kept == drawn_text.table_of_this_python()
    # newer tables have more characters, and leave these as they are
    assert all(unicodedata.category(c) not in ("Cn", "Cs") for c in known_characters())
    assert {c for c in known_characters() if unicodedata.category(c)[0] == "N"} == set(numbers())
    assert len(white_space()) == 29 and set(white_space()) <= set(known_characters())
