"""Added tokens are found where the tokenizers library finds them, whatever their flags."""

import json
from random import Random

import pytest
import tokenizers

from helpers.tokenizers.added_tokens import AddedToken, split
from helpers.tokenizers.drawn_text import known_characters
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.tokenizers.tokenizer_json import from_tokenizer_json
from tests.tokenizers.library_files import BASE, V, entry, our_results, results, with_added

FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def both(tmp_path, content):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return from_tokenizer_json(path), tokenizers.Tokenizer.from_file(str(path))


@pytest.mark.parametrize("seed", range(40))
def test_drawn_tokens_with_drawn_flags_are_found_as_the_library_finds_them(tmp_path, seed):
    dice = Random(seed)
    names = list(
        dict.fromkeys("".join(dice.choices("ab <>_", k=dice.randint(1, 4))) for _ in range(6))
    )
    vocabulary = BASE["model"]["vocab"]
    tokens = []
    for name in names:
        known = vocabulary.get(name)
        flags = {flag: dice.random() < 0.4 for flag in FLAGS}
        if known is None or not flags["special"]:  # special and a merge's product is refused
            tokens.append(entry(name, V if known is None else known, **flags))
    number = 0
    for token in tokens:
        if token["id"] == V:
            token["id"], number = V + number, number + 1
    content = with_added() | {"added_tokens": [*BASE["added_tokens"], *tokens]}
    tokenizer, library = both(tmp_path, content)
    pieces = [*names, "a", "b", " ", "  ", "\n", "<a>", "low", "1", "é", "_"]
    texts = ["".join(dice.choices(pieces, k=dice.randint(1, 9))) for _ in range(60)]
    compared = 0
    for text in texts:
        try:
            wanted = results(library, [text])
        except BaseException as error:  # the library's own panic, where blanks are taken twice
            assert type(error).__name__ == "PanicException"
            continue
        assert our_results(tokenizer, [text]) == wanted
        compared += 1
        for allow in ((), "all"):
            assert tokenizer.encode(text, allow=allow) == tokenizer.encode_readable(
                text, allow=allow
            )
    assert compared > 40


@pytest.mark.parametrize("flag", ["single_word", "lstrip", "rstrip"])
def test_d02_every_character_counts_as_a_letter_or_as_white_space_as_in_the_library(tmp_path, flag):
    tokenizer, library = both(tmp_path, with_added(entry("<m>", **{flag: True})))
    characters = Random(1).sample(known_characters(), 3000) + [chr(i) for i in range(0x3100)]
    text = "<m>".join(c for c in characters if c in known_characters())
    assert tokenizer.encode(text) == library.encode(text).ids


def test_the_part_of_a_text_that_belongs_to_a_token_is_said():
    added = {"<m>": AddedToken(id=7, lstrip=True), "<": AddedToken(id=8)}
    assert list(split("a <m> <", added)) == [("a", None), (" <m>", 7), (" ", None), ("<", 8)]
    assert list(split("a <m>", added, ["<m>"])) == [("a <m>", None)]
    assert list(split("", added)) == []


@pytest.mark.parametrize(
    "added, words",
    [
        ({"b": AddedToken(id=0)}, "added token 'b' has id 0, which holds no such text"),
        ({"b": AddedToken(id=9)}, "added token 'b' has id 9"),
        ({"": AddedToken(id=1)}, "added token '' has id 1"),
        ({"<a>": AddedToken(id=1, special=True)}, "'<a>' is special, but not in the list of those"),
    ],
)
def test_added_tokens_that_do_not_fit_are_refused(added, words):
    with pytest.raises(ValueError, match=words):
        Tokenizer((b"a", b"<a>"), added=added)


def test_an_id_for_unknown_bytes_that_is_none_is_refused():
    with pytest.raises(ValueError, match="unknown is 2; give an id under 2, or None"):
        Tokenizer((b"a", b"b"), unknown=2)


def test_part_of_the_special_tokens_may_be_allowed_beside_those_that_always_count():
    tokens = (b"a", b"b", b"<s>", b"<t>", b"ab")
    tokenizer = Tokenizer(
        tokens, special={"<s>": 2, "<t>": 3}, added={"ab": AddedToken(id=4)}, drop_unknown=True
    )
    assert tokenizer.encode("ab<s>b<t>a", allow=["<s>"]) == [4, 2, 1, 0]
    assert tokenizer.encode("ab<s>b<t>a") == [4, 1, 0]
