"""What stands beside tokenizer.json agrees with it, or is refused; tried against transformers.

The keys come from the transformers library itself: all that its classes look for among what a
tokenizer_config.json gives them.
"""

import inspect
import json
import re

import pytest
import tokenizers
import transformers
from transformers.tokenization_utils_base import PreTrainedTokenizerBase
from transformers.tokenization_utils_tokenizers import TokenizersBackend

from helpers.tokenizers.folder import HARMLESS, OFF, from_folder
from tests.tokenizers.library_files import BASE, TEXTS, V, entry, with_added

END = "<|endoftext|>"
CONTENT = with_added(entry("<think>"), entry("<s>", special=True), entry(END, special=True))
GENERIC = {"tokenizer_class": "PreTrainedTokenizerFast"}
LISTED = {key: value for key, value in entry("<think>").items() if key != "id"}


def write(folder, config, name="tokenizer_config.json", content=CONTENT):
    for old in folder.iterdir():
        old.unlink()
    (folder / "tokenizer.json").write_text(json.dumps(content))
    (folder / "config.json").write_text('{"model_type": "llama"}')
    if name != "tokenizer_config.json":
        (folder / "tokenizer_config.json").write_text(json.dumps(GENERIC))
    (folder / name).write_text(json.dumps(config))


def theirs(folder):
    """The library's ids with special tokens allowed, its length, and its decoding of them."""
    library = transformers.AutoTokenizer.from_pretrained(folder)
    rows = [library.encode(text) for text in [*TEXTS, "a<s>b x<other>y <|endoftext|>"]]
    return rows, len(library), [library.decode(row) for row in rows]


def ours(folder):
    tokenizer = from_folder(folder)
    texts = [*TEXTS, "a<s>b x<other>y <|endoftext|>"]
    rows = [tokenizer.encode(text, allow="all") for text in texts]
    return rows, len(tokenizer), [tokenizer.decode(row) for row in rows]


# each key, and a value that is not the usual one
VALUES = {
    "add_bos_token": [True, False], "add_eos_token": [True], "add_prefix_space": [True, False],
    "split_special_tokens": [True, False], "fix_mistral_regex": [True], "from_slow": [True],
    "do_lower_case": [True], "errors": ["strict", "replace"], "init_inputs": [["x"], []],
    "auto_map": [{"AutoTokenizer": ["a.B", None]}],
    "clean_up_tokenization_spaces": [True, False],
    "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output": [True],
    "model_max_length": [2], "max_length": [2], "stride": [1], "pad_to_multiple_of": [8],
    "truncation_side": ["left"], "truncation_strategy": ["longest_first"],
    "padding_side": ["left"], "pad_token_type_id": [1], "name_or_path": ["x"],
    "special_tokens_map_file": ["x"], "tokenizer_file": ["x"], "processor_class": ["X"],
    "backend": ["tokenizers"], "is_local": [True], "local_files_only": [True], "verbose": [True],
    "model_input_names": [["input_ids"]], "return_token_type_ids": [True],
    "chat_template": ["{{ bos_token }}"], "response_template": ["x"], "response_schema": [{}],
    "chat_control_tokens": [["<s>"]],
    "bos_token": ["<s>", "<other>", "low", "<think>"], "eos_token": ["<other>"],
    "unk_token": ["<other>", "<s>"], "sep_token": ["<other>"], "pad_token": ["<other>", None],
    "cls_token": ["<other>"],
    "mask_token": [LISTED | {"content": "<s>", "__type": "AddedToken", "lstrip": True}],
    "image_token": ["<other>", "<s>"],
    "additional_special_tokens": [["<other>"], ["<s>"], []],
    "extra_special_tokens": [["<other>"], {"image_token": "<other>"}, ["<s>"]],
    "model_specific_special_tokens": [{"image_token": "<other>"}],
    "added_tokens_decoder": [{str(V): LISTED}, {str(V): LISTED | {"lstrip": True}},
        {str(V + 3): LISTED | {"content": "<other>"}}, {str(V): LISTED | {"special": True}}, {}],
    "tokenizer_class": ["GPT2Tokenizer", "GPT2TokenizerFast", "CodeGenTokenizer",
                        "TokenizersBackend", "LlamaTokenizer", "Qwen2Tokenizer"],
    "tokenizer_truncation": [{"max_length": 2}], "_json_truncation": [{"max_length": 2}],
    "tokenizer_padding": [{"length": 40}], "_json_padding": [{"length": 40}],
    "tokenizer_object": ["x"], "gguf_file": ["x.gguf"], "post_processor": ["x"],
    "vocab_file": ["x"], "vocab": [{"a": 0}], "merges": [[["a", "b"]]], "unk_id": [0],
    "_spm_precompiled_charsmap": ["x"], "new_key": [0], "token": ["x"], "max_len": [4],
    "files_loaded": ["x"], "merges_file": ["x"], "use_fast": [True],
    "trust_remote_code": [True], "tokenizer": ["x"], "auto_class": ["x"],
}  # fmt: skip
CASES = [(key, value) for key, values in VALUES.items() for value in values]


@pytest.mark.parametrize("key, value", CASES, ids=str)
def test_each_key_gives_the_librarys_ids_or_is_refused_by_name(tmp_path, key, value):
    write(tmp_path, GENERIC | {key: value})
    try:
        found = ours(tmp_path)
    except ValueError as error:
        assert "\n" not in str(error) and f"{key}" in str(error)
        return
    assert key not in OFF or value in OFF[key]
    assert found == theirs(tmp_path)


def test_no_key_that_the_library_looks_for_is_left_out():
    base, backend = PreTrainedTokenizerBase, TokenizersBackend
    looked_for = set(base.SPECIAL_TOKENS_ATTRIBUTES)
    for function in (
        base.__init__, base._from_pretrained, backend.__init__, backend.convert_to_native_format
    ):  # fmt: skip
        source = inspect.getsource(function)
        looked_for |= set(re.findall(r'kwargs\.(?:pop|get|setdefault)\(\s*"(\w+)"', source))
        looked_for |= set(re.findall(r'"(\w+)" in \w*kwargs', source))
    assert looked_for - set(VALUES) == set()
    assert {*HARMLESS, *OFF} <= set(VALUES)


@pytest.mark.parametrize("value, equal", [("<s>", True), ("<other>", False)])
@pytest.mark.parametrize("key", ["eos_token", "additional_special_tokens"])
def test_the_map_of_special_tokens_names_none_that_is_not_there(tmp_path, key, value, equal):
    given = [value] if key.endswith("s") else {"content": value, "lstrip": False}
    write(tmp_path, {key: given}, "special_tokens_map.json")
    if equal:
        assert ours(tmp_path) == theirs(tmp_path)
    else:
        with pytest.raises(ValueError, match=rf"special_tokens_map.json says {key}.* = '<other>'"):
            from_folder(tmp_path)


@pytest.mark.parametrize("ids, equal", [({"<think>": V}, True), ({"<other>": V + 3}, False)])
def test_a_list_of_added_tokens_says_the_same_ids(tmp_path, ids, equal):
    write(tmp_path, ids, "added_tokens.json")
    if equal:
        assert ours(tmp_path) == theirs(tmp_path)
    else:
        with pytest.raises(
            ValueError, match=r"added_tokens.json says '<other>' = \d+; tokenizer.j"
        ):
            from_folder(tmp_path)


def test_a_class_that_adds_a_token_of_its_own_is_refused(tmp_path):
    content = with_added(entry("<s>", special=True))
    config = {"tokenizer_class": "GPT2Tokenizer", "bos_token": "<s>", "eos_token": "<s>"}
    write(tmp_path, config, content=content)
    with pytest.raises(
        ValueError, match=r"'GPT2Tokenizer', whose usual unk_token = '<.endoftext.>'"
    ):
        from_folder(tmp_path)
    write(tmp_path, config | {"unk_token": "<s>"}, content=content)
    assert ours(tmp_path) == theirs(tmp_path)
    write(tmp_path, {}, content=content)
    assert ours(tmp_path) == theirs(tmp_path)


def test_tokenizer_json_counts_where_a_class_of_one_version_cuts_in_its_own_way(tmp_path):
    """SmolLM2's folder names GPT2Tokenizer, and its tokenizer.json cuts digits one by one."""
    digits = {"type": "Digits", "individual_digits": True}
    steps = {"type": "Sequence", "pretokenizers": [digits, BASE["pre_tokenizer"]]}
    content = CONTENT | {"pre_tokenizer": steps}
    write(tmp_path, {"tokenizer_class": "GPT2Tokenizer"}, content=content)
    library = tokenizers.Tokenizer.from_file(str(tmp_path / "tokenizer.json"))
    texts = [*TEXTS, "a  12", "x   3\n 4"]
    wanted = [library.encode(text).ids for text in texts]
    assert [from_folder(tmp_path).encode(text, allow="all") for text in texts] == wanted
