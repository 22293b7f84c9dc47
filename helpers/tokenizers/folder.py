"""A tokenizer from a model's folder: tokenizer.json, and what the files beside it say.

tokenizer.json says all about ids. The files beside it repeat parts of it, and can overrule it: what
they say must agree with it. tokenizer_class names the program that should read the folder; some
versions of the transformers library let that program cut texts in its own way. Here tokenizer.json
counts, as in the tokenizers library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from helpers.fields import refuse_other, refuse_unknown
from helpers.tokenizers.files import parse, read_text
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.tokenizers.tokenizer_json import added_token, from_tokenizer_json

# tokenizer_config.json: what is read; names of special tokens end with _token
LISTS_OF_NAMES = (
    "additional_special_tokens",
    "extra_special_tokens",
    "model_specific_special_tokens",
)
READ = ("added_tokens_decoder", "tokenizer_class")
CLASSES = (
    None,
    "PreTrainedTokenizerFast",
    "TokenizersBackend",
    "GPT2Tokenizer",
    "GPT2TokenizerFast",
    "CodeGenTokenizer",
    "CodeGenTokenizerFast",
    "LlamaTokenizer",
    "LlamaTokenizerFast",
)
# these add a token of their own where the file names no other one
WITH_DEFAULTS = ("GPT2Tokenizer", "CodeGenTokenizer")
DEFAULT = "<|endoftext|>"
# what is read only where it says that nothing is done
OFF = {
    "add_bos_token": (None, False),
    "add_eos_token": (None, False),
    "add_prefix_space": (None, False),
    "split_special_tokens": (None, False),
    "fix_mistral_regex": (None, False),
    "from_slow": (None, False),
    "do_lower_case": (None, False),
    "errors": (None, "replace"),
    "init_inputs": (None, []),
    "auto_map": (None,),
}
# what cannot change ids: how a text is cut short or padded where someone asks for it, names of
# files, what a model is fed besides ids, how a conversation is written (that is text), and a
# clean-up of decoded texts that the library leaves out for this kind of tokenizer
HARMLESS = (
    "model_max_length",
    "max_length",
    "stride",
    "truncation_side",
    "truncation_strategy",
    "padding_side",
    "pad_to_multiple_of",
    "pad_token_type_id",
    "name_or_path",
    "special_tokens_map_file",
    "tokenizer_file",
    "processor_class",
    "backend",
    "is_local",
    "local_files_only",
    "model_input_names",
    "return_token_type_ids",
    "verbose",
    "chat_template",
    "response_template",
    "response_schema",
    "chat_control_tokens",
    "clean_up_tokenization_spaces",
)


def from_folder(folder: Path) -> Tokenizer:
    """The tokenizer in a folder, where it is byte-level BPE (GPT-2's kind) in a tokenizer.json.

    Raises FileNotFoundError or ValueError, in one sentence, for a folder without one, for a kind of
    tokenizer that is not built here, and for files beside it that say something else.
    """
    path = folder / "tokenizer.json"
    if not path.exists():
        others = [path.name for path in folder.glob("*.model")]
        found = f" ({others[0]} is SentencePiece)" if others else ""
        raise FileNotFoundError(
            f"{folder.name} holds no tokenizer.json{found}; read here is byte-level BPE, as "
            "GPT-2 and SmolLM2 have it"
        )
    tokenizer = from_tokenizer_json(path)
    for name, check in BESIDE.items():
        beside = folder / name
        if beside.exists():
            check(parse(read_text(beside), name), tokenizer, name)
    return tokenizer


def _check_config(config: Mapping[str, Any], tokenizer: Tokenizer, name: str) -> None:
    refuse_other(config, OFF, name)
    names = dict(_named(config))
    refuse_unknown(config, (*READ, *LISTS_OF_NAMES, *names), (*OFF, *HARMLESS), name)
    kind = config.get("tokenizer_class")
    refuse_other(config, {"tokenizer_class": CLASSES}, name)
    if kind is not None and kind.removesuffix("Fast") in WITH_DEFAULTS:
        missing = [field for field in ("unk_token", "bos_token", "eos_token") if field not in names]
        names |= {f"tokenizer_class = {kind!r}, whose usual {field}": DEFAULT for field in missing}
    _check_names(names, tokenizer, name)
    listed = config.get("added_tokens_decoder") or {}
    if not isinstance(listed, dict):
        raise ValueError(f"{name} says added_tokens_decoder = {listed!r}; give an object")
    for key, given in listed.items():
        where = f"{name}, added_tokens_decoder[{key!r}]"
        token, there = added_token(given, where), tokenizer.looked_for.get(given["content"])
        if there is None or str(there.id) != key or replace(there, id=0, ordinary=False) != token:
            raise ValueError(f"{where} is another one than {given['content']!r} in tokenizer.json")


def _check_map(named: Mapping[str, Any], tokenizer: Tokenizer, name: str) -> None:
    names = dict(_named(named))
    refuse_unknown(named, (*LISTS_OF_NAMES, *names), (), name)
    _check_names(names, tokenizer, name)


def _check_added(ids: Mapping[str, Any], tokenizer: Tokenizer, name: str) -> None:
    for text, token in ids.items():
        there = tokenizer.looked_for.get(text)
        if there is None or there.id != token:
            raise ValueError(f"{name} says {text!r} = {token!r}; tokenizer.json says another id")


BESIDE = {
    "tokenizer_config.json": _check_config,
    "special_tokens_map.json": _check_map,
    "added_tokens.json": _check_added,
}


def _named(config: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """(field, text) of all tokens that a file names as special."""
    for field, value in config.items():
        if field in LISTS_OF_NAMES and value:
            several = value.values() if isinstance(value, dict) else value
            for number, one in enumerate(several if not isinstance(value, str) else [value]):
                yield f"{field}[{number}]", _content(one)
        elif field.endswith("_token") and field not in OFF and value is not None:
            yield field, _content(value)


def _content(value: Any) -> Any:
    return value.get("content") if isinstance(value, dict) else value


def _check_names(names: Mapping[str, Any], tokenizer: Tokenizer, name: str) -> None:
    """Refuse a name of a token that is not special: the library would make it so."""
    for field, text in names.items():
        if not isinstance(text, str) or text not in tokenizer.special:
            raise ValueError(
                f"{name} says {field} = {text!r}, which is no special token of tokenizer.json"
            )
