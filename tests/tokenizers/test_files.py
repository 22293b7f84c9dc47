"""Tokenizers to files and back; what is damaged or of another kind is refused in one sentence."""

import json

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from helpers.benchmark.tokenizer_agreement import differences, library_tokenizer
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT
from helpers.tokenizers.files import (
    chat_template,
    from_gguf,
    from_lists,
    from_tokenizer_json,
    load,
    save,
)
from helpers.tokenizers.tokenizer import Tokenizer, train

TEXT = "low lower lowest new newer newest, 12 times 12; naïve 日本語 日本 <a>\n" * 3


@pytest.mark.parametrize("pattern", [GPT2, ONE_DIGIT])
def test_a_saved_tokenizer_is_the_same_tokenizer(tmp_path, pattern):
    tokenizer = train(TEXT, 40, pattern=pattern, special=["<a>", "<|é|>"])
    for one in (tokenizer, Tokenizer((b"a", b" ", b"a "), ((0, 1),), {}, pattern, True)):
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
        (lambda text: text.replace('"tokens"', '"words"'), "a.json is damaged"),
        (lambda text: text.replace('"l",\n', "", 1), "a.json is damaged"),
    ],
)
def test_a_damaged_file_is_refused_in_one_sentence(tmp_path, change, words):
    path = tmp_path / "a.json"
    save(train(TEXT, 40), path)
    path.write_text(change(path.read_text(encoding="utf-8")), encoding="utf-8")
    with pytest.raises(ValueError, match=words):
        load(path)


def trained_by_the_library(*steps):
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.Sequence(list(steps)) if len(steps) > 1 else steps[0]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=["<a>"], initial_alphabet=alphabet, show_progress=False
    )
    library.train_from_iterator([TEXT], trainer)
    return library


LEVEL = pre_tokenizers.ByteLevel(add_prefix_space=False)
DIGITS = pre_tokenizers.Digits(individual_digits=True)


@pytest.mark.parametrize("steps, pattern", [([LEVEL], GPT2), ([DIGITS, LEVEL], ONE_DIGIT)])
def test_the_tokenizer_json_of_the_tokenizers_library_is_read(tmp_path, steps, pattern):
    library = trained_by_the_library(*steps)
    library.decoder = tokenizers.decoders.ByteLevel()
    library.save(str(tmp_path / "tokenizer.json"))
    tokenizer = from_tokenizer_json(tmp_path / "tokenizer.json")
    assert tokenizer.pattern == pattern
    assert list(tokenizer.special) == ["<a>"]
    strings = ["lowest newest <a> 1212", " naïve  日本\n", "I'll <a", ""]
    assert differences(tokenizer, library, strings) == []
    assert differences(tokenizer, library_tokenizer(tokenizer), strings) == []


@pytest.mark.parametrize(
    "change, words",
    [
        ({"model": {"type": "Unigram"}}, "no plain byte-level BPE"),
        ({"normalizer": {"type": "NFC"}}, "no plain byte-level BPE"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, r"cuts texts by \['Whitespace'\]"),
        ({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True}}, "cuts texts by"),
        ({"pre_tokenizer": None}, "cuts texts by"),
        ({"added_tokens": [{"content": "<b>", "id": 999, "special": True}]}, "leaves out an id"),
    ],
)
def test_another_kind_of_tokenizer_json_is_refused(tmp_path, change, words):
    path = tmp_path / "tokenizer.json"
    trained_by_the_library(LEVEL).save(str(path))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=words):
        from_tokenizer_json(path)


def test_lists_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="merge 0 is 'a c'; give two tokens of the vocabulary"):
        from_lists(["a", "b"], ["a c"], {}, GPT2)


def test_the_real_models_file_holds_vocabulary_merges_and_template(model_path):
    tokenizer = from_gguf(model_path)
    assert (len(tokenizer), len(tokenizer.merges), len(tokenizer.special)) == (49152, 48900, 17)
    assert tokenizer.pattern == ONE_DIGIT
    assert tokenizer.special["<|im_end|>"] == 2
    assert tokenizer.show(tokenizer.encode("The capital of France")) == [
        "The",
        "\u0120capital",
        "\u0120of",
        "\u0120France",
    ]
    assert "<|im_start|>assistant" in chat_template(model_path)
