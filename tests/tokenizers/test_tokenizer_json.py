"""The tokenizers library's own file is read with equal ids, or refused in one sentence."""

import json

import pytest
import tokenizers
from tokenizers import models, pre_tokenizers, trainers

from helpers.benchmark.tokenizer_agreement import differences, library_tokenizer
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT
from helpers.tokenizers.tokenizer_json import from_tokenizer_json

TEXT = "low lower lowest new newer newest, 12 times 12; naïve 日本語 日本 <a>\n" * 3


def trained_by_the_library(*steps):
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.Sequence(list(steps)) if len(steps) > 1 else steps[0]
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=330, special_tokens=["<a>"], initial_alphabet=alphabet, show_progress=False
    )
    library.train_from_iterator([TEXT], trainer)
    return library


ENTRY = {
    "id": 293, "content": "<b>", "single_word": False, "lstrip": False, "rstrip": False,
    "normalized": False, "special": False,
}  # fmt: skip
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
        ({"normalizer": {"type": "NFC"}}, "says normalizer = .*NFC.*; only None is built here"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, r"cuts texts by \['Whitespace'\]"),
        (
            {"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True}},
            "says add_prefix_space = True; only",
        ),
        ({"pre_tokenizer": None}, "cuts texts by"),
        (
            {"added_tokens": [ENTRY | {"id": 999}]},
            r"\[0\] says id = 999, but by its place it is 293",
        ),
        (
            {"added_tokens": [{"content": "<b>", "id": 293}]},
            "says special = None; give true or false",
        ),
        ({"added_tokens": [ENTRY, ENTRY]}, r"\[1\] says content = '<b>', as one before it"),
        ({"added_tokens": [ENTRY | {"content": "é"}]}, "which byte level decodes to other bytes"),
    ],
)
def test_another_kind_of_tokenizer_json_is_refused(tmp_path, change, words):
    path = tmp_path / "tokenizer.json"
    library = trained_by_the_library(LEVEL)
    library.decoder = tokenizers.decoders.ByteLevel()
    library.save(str(path))
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(ValueError, match=words):
        from_tokenizer_json(path)
