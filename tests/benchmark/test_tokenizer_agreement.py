"""Our tokenizer and the tokenizers library give the same, on the real model's merges."""

import json

import pytest

from helpers.benchmark import tokenizer_agreement
from helpers.benchmark.tokenizer_agreement import differences, library_tokenizer
from helpers.tokenizers.bpe import GPT2, pieces
from helpers.tokenizers.drawn_text import drawn_strings, known_characters, white_space
from helpers.tokenizers.gguf import from_gguf
from helpers.tokenizers.tokenizer import Tokenizer


@pytest.fixture(scope="module")
def real(model_path):
    return from_gguf(model_path)


@pytest.fixture(scope="module")
def library(real):
    return library_tokenizer(real)


def test_c56_drawn_strings_agree(real, library):
    assert differences(real, library, drawn_strings(4_000, 1, tuple(real.special))) == []


@pytest.mark.slow
def test_c56_a_hundred_thousand_drawn_strings_agree(real, library):
    assert differences(real, library, drawn_strings(100_000, 2, tuple(real.special))) == []


def library_pieces(library, text):
    return [text[start:end] for _, (start, end) in library.pre_tokenizer.pre_tokenize_str(text)]


@pytest.mark.parametrize("cut", ["one digit", "gpt2"])
def test_every_character_of_unicode_is_cut_alike(real, library, cut):
    if cut == "gpt2":
        real = Tokenizer(real.tokens, (), {}, GPT2, True)
        library = library_tokenizer(real)
    known = known_characters()
    few = set(known[:2000]) | set(known[::11]) | set(white_space())
    different = [
        character
        for character in few
        for text in (f"a{character}a ", f".\t{character}\t.", f"1 {character}1")
        if pieces(text, real.pattern) != library_pieces(library, text)
    ]
    assert different == []


def test_long_texts_agree(real, library):
    for text in (
        "a" * 5_000,
        " " * 5_000,
        "abcdefgh" * 700,
        "日本語" * 900,
        "\n" * 999 + "1" * 999,
    ):
        assert differences(real, library, [text]) == []


def test_half_a_surrogate_pair_is_refused_by_both(real, library):
    for encode in (real.encode, library.encode):
        with pytest.raises((ValueError, TypeError)):
            encode("a\ud800")


def test_a_planted_difference_is_found(real, library):
    strings = list(drawn_strings(300, 1, tuple(real.special)))
    cut_otherwise = Tokenizer(real.tokens, real.merges, real.special, GPT2, True)
    assert differences(cut_otherwise, library, strings)
    last = real.decode([len(real) - 1])
    one_merge_less = Tokenizer(real.tokens, real.merges[:-1], real.special, real.pattern, True)
    assert differences(real, library, [last]) == []
    assert {way for way, _ in differences(one_merge_less, library, [last])} == {
        "ids",
        "ids with special tokens allowed",
    }


def test_what_the_real_vocabulary_drops_is_known(real, library):
    lost = [byte for byte in range(128) if not real.encode(chr(byte))]
    assert lost == [0x04, 0x06, 0x13, 0x14, 0x16, 0x1D]
    assert library.encode("\x04").ids == []
    strict = Tokenizer(real.tokens, real.merges, real.special, real.pattern)
    with pytest.raises(ValueError, match="no token for the byte 0x04"):
        strict.encode("\x04")


def test_the_record_says_that_all_agreed_and_how_fast_it_was():
    record = json.loads(tokenizer_agreement.RECORD.read_text())
    assert record["strings"] >= 100_000 and record["differences"] == 0
    assert all(row["seconds"] < 5 for row in record["processor seconds"].values())
    assert all(0.9 < row["MB"] < 1.1 for row in record["processor seconds"].values())


def test_strings_are_drawn_alike_again_and_hold_every_kind():
    strings = list(drawn_strings(2_000, 3, ("<|x|>",)))
    assert strings == list(drawn_strings(2_000, 3, ("<|x|>",)))
    joined = "".join(strings)
    assert set(white_space()) <= set(joined)
    for part in ("<|x|>", "👩‍👩‍👧‍👦", "aaaaaaa", "\x04", "'ll", "def f"):
        assert part in joined
    assert any(character.isdigit() and not character.isascii() for character in joined)
