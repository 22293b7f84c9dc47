"""Tokenizers to files and back; what is damaged or of another kind is refused in one sentence."""

import pytest

from helpers.tokenizers.added_tokens import AddedToken
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT
from helpers.tokenizers.files import from_lists, load, save
from helpers.tokenizers.tokenizer import Tokenizer, train

TEXT = "low lower lowest new newer newest, 12 times 12; naïve 日本語 日本 <a>\n" * 3


@pytest.mark.parametrize("pattern", [GPT2, ONE_DIGIT])
def test_a_saved_tokenizer_is_the_same_tokenizer(tmp_path, pattern):
    tokenizer = train(TEXT, 40, pattern=pattern, special=["<a>", "<|é|>"])
    added = {
        " a": AddedToken(id=3, lstrip=True),
        "<s>": AddedToken(id=4, special=True, rstrip=True),
    }
    tokens = (b"a", b" ", b"a ", b" a", b"<s>")
    for one in (
        tokenizer,
        Tokenizer(tokens[:3], ((0, 1),), {}, pattern, True),
        Tokenizer(tokens, ((0, 1),), {"<s>": 4}, pattern, True, added, True, 1),
    ):
        save(one, tmp_path / "a.json")
        assert load(tmp_path / "a.json") == one
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda text: text[: len(text) // 2], "a.json is damaged"),
        (lambda text: "[1, 2]", "a.json is no tokenizer"),
        (lambda text: text.replace("course tokenizer 1", "another"), "a.json is no tokenizer"),
        (lambda text: text.replace('"l o"', '"l"'), "a.json is damaged: merge .* give two tokens"),
        (lambda text: text.replace('"tokens"', '"words"'), "a.json says words = "),
        (lambda text: text.replace('"l",\n', "", 1), "a.json is damaged"),
        (
            lambda text: text.replace('"form"', '"dropout": 0.1, "form"'),
            "says dropout = 0.1, which",
        ),
        (lambda text: text.replace('"form"', '"unknown": 7, "form"'), "it says 'unknown' twice"),
        (lambda text: text.replace('"added": {', '"added": {"a": {"id": 97}'), "a.json is damaged"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, change, words):
    path = tmp_path / "a.json"
    save(train(TEXT, 40), path)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        load(path)


def test_lists_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="merge 0 is 'a c'; give two tokens of the vocabulary"):
        from_lists(["a", "b"], ["a c"], {}, GPT2)
    with pytest.raises(ValueError, match="merge 1 is 'a b', as merge 0; give each once"):
        from_lists(["a", "b", "ab"], ["a b", "a b"], {}, GPT2)
