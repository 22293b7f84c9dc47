"""tokenizer.json written by us: the tokenizers library gives our ids, and so do we again."""

from dataclasses import replace

import pytest
import tokenizers
from hypothesis import given
from hypothesis import strategies as st

from helpers.tokenizers.added_tokens import AddedToken
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT, WHOLE
from helpers.tokenizers.drawn_text import drawn_strings
from helpers.tokenizers.to_tokenizer_json import to_tokenizer_json
from helpers.tokenizers.tokenizer import Tokenizer, train
from helpers.tokenizers.tokenizer_json import from_tokenizer_json

TEXT = "low lower lowest, the newest of 2024 wolves were wider " * 3
NAMES = ["<a>", "<|b|>", " c", "END", "<\U0001f600>"]
TEXTS = [
    *drawn_strings(30, seed=3),
    "lowest<a> slow END sEND END.", "x <|b|> c 12<a><a>", "<\U0001f600>END", "  <a>  b", "low c c",
]  # fmt: skip
FLAGS = ("lstrip", "rstrip", "single_word", "normalized")


def written(tokenizer, folder):
    """The library's tokenizer, and ours read again."""
    path = folder / "tokenizer.json"
    path.write_text(to_tokenizer_json(tokenizer), encoding="utf-8")
    return tokenizers.Tokenizer.from_file(str(path)), from_tokenizer_json(path)


def same(tokenizer, folder):
    """Hold both against the tokenizer that was written."""
    library, again = written(tokenizer, folder)
    for text in TEXTS:
        library.encode_special_tokens = False
        ids = tokenizer.encode(text, allow="all")
        assert ids == library.encode(text).ids == again.encode(text, allow="all")
        assert tokenizer.decode(ids) == library.decode(ids, skip_special_tokens=False)
        library.encode_special_tokens = True
        assert tokenizer.encode(text) == library.encode(text).ids == again.encode(text)
    assert library.get_vocab_size() == len(tokenizer) == len(again)


@st.composite
def drawn(draw):
    """A tokenizer with special and added tokens, before or behind the others."""
    plain = train(
        TEXT, draw(st.integers(0, 30)), pattern=draw(st.sampled_from([GPT2, ONE_DIGIT, WHOLE]))
    )
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    first = draw(st.integers(0, len(names)))  # so many stand before the bytes, all special
    offset = first
    tokens = [name.encode() for name in names[:first]] + list(plain.tokens)
    tokens += [name.encode() for name in names[first:]]
    merges = tuple((a + offset, b + offset) for a, b in plain.merges)
    special, added = {}, {}
    for name in names:
        place = tokens.index(name.encode())
        flags = {flag: draw(st.booleans()) for flag in FLAGS}
        is_special = place < first or draw(st.booleans())
        if is_special:
            special[name] = place
        if not is_special or draw(st.booleans()):
            added[name] = AddedToken(id=place, special=is_special, **flags)
    return Tokenizer(tuple(tokens), merges, special, plain.pattern, added=added)


@given(tokenizer=drawn())
def test_what_is_written_gives_our_ids_in_the_library_and_read_again(tokenizer, tmp_path_factory):
    same(tokenizer, tmp_path_factory.mktemp("written"))


@pytest.mark.parametrize("changes", [{"ignore_merges": True}, {"unknown": 3}, {}], ids=str)
def test_the_rest_of_a_tokenizer_is_written_too(changes, tmp_path):
    tokenizer = replace(train(TEXT, 20, special=["<a>"]), **changes)
    twice = replace(tokenizer, merges=(*tokenizer.merges, tokenizer.merges[0]))
    same(tokenizer, tmp_path)
    same(twice, tmp_path)  # of two equal merges the first counts


def without_byte(byte, **changes):
    """A tokenizer whose last byte is missing."""
    return Tokenizer(tuple(bytes([b]) for b in range(256) if b != byte), **changes)


@pytest.mark.parametrize("changes", [{"drop_unknown": True}, {"unknown": 65}], ids=str)
def test_a_byte_without_a_token_is_dropped_or_unknown_as_in_the_library(changes, tmp_path):
    same(without_byte(ord("w"), **changes), tmp_path)


@pytest.mark.parametrize(
    "tokenizer, error, words",
    [
        (without_byte(7), ValueError, r"refuses texts with the byte 0x07 \(drop_unknown=False\)"),
        ("words", TypeError, "the tokenizer is a str; tokenizer.json is written of a byte-level"),
        (replace(train(TEXT, 2), pattern="."), ValueError, "cuts texts by the pattern '.'; wri"),
        (
            Tokenizer((b"\xc4\xa0low", b" low", *without_byte(0, drop_unknown=True).tokens),
                      special={"\u0120low": 0}, drop_unknown=True),
            ValueError,
            "cannot tell the special token '\u0120low' from an ordinary one",
        ),
        (
            Tokenizer((b"<x>", *without_byte(-1).tokens), added={"<x>": AddedToken(id=0)}),
            ValueError,
            "added token '<x>' has id 0, before ordinary ones",
        ),
        (
            Tokenizer((*without_byte(-1).tokens, "\u00e9\u00fc".encode()),
                      special={"\u00e9\u00fc": 256}),
            ValueError,
            "which byte level decodes to other bytes",
        ),
    ],
    ids=["byte", "kind", "pattern", "text", "place", "shown"],
)  # fmt: skip
def test_what_the_file_cannot_say_is_refused_by_name(tokenizer, error, words):
    with pytest.raises(error, match=words):
        to_tokenizer_json(tokenizer)
