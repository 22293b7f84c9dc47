"""The tokenizer inside a GGUF model file: byte-level BPE, cut as GPT-2 or SmolLM2 cut.

Such a file says by name how texts are cut, and of each token of which kind it is. Each field under
`tokenizer.` is read, or cannot change the ids, or is refused by its name.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helpers.fields import refuse_other, refuse_unknown
from helpers.tokenizers.added_tokens import AddedToken
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT, byte_characters
from helpers.tokenizers.files import built
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.weights.gguf_file import read_gguf

# how a text is cut, by the name that llama.cpp writes into a GGUF file
GGUF_PATTERNS = {"gpt-2": GPT2, "smollm": ONE_DIGIT}
_ORDINARY, _CONTROL, _USER_DEFINED = 1, 3, 4  # kinds of tokens

READ = ("model", "pre", "tokens", "token_type", "merges")
# read only where it says that nothing is done; encode adds no token of its own
OFF = {
    "add_bos_token": (False,),
    "add_eos_token": (False,),
    "add_sep_token": (False,),
    "add_space_prefix": (False,),
    "remove_extra_whitespaces": (False,),
}
# scores rank the tokens of other kinds of tokenizers, token types belong to other kinds of models
HARMLESS = ("scores", "token_type_count")
TEMPLATES = ("tokenizer.chat_template", "tokenizer.chat_templates")
_NAMED_ID = re.compile(r"tokenizer\.ggml\.\w+_token_id")
_NAMED_TEMPLATE = re.compile(r"tokenizer\.chat_template\.\w+")


def from_gguf(path: Path) -> Tokenizer:
    """The tokenizer inside a GGUF model file, read by the gguf package (some seconds).

    Raises ValueError for a tokenizer that is no byte-level BPE, or cuts texts in another way.
    """
    return from_gguf_fields(read_gguf(path).fields, path.name)


def from_gguf_fields(fields: Mapping[str, Any], name: str) -> Tokenizer:
    """The same from the fields of a GGUF file that was read; name: of the file, for refusals."""
    kind, cut = fields.get("tokenizer.ggml.model"), fields.get("tokenizer.ggml.pre")
    if kind != "gpt2" or cut not in GGUF_PATTERNS:
        raise ValueError(
            f"{name} holds a tokenizer {kind!r} that cuts texts as {cut!r}; "
            f"built here is 'gpt2' with one of: {', '.join(GGUF_PATTERNS)}"
        )
    lists = [fields.get(f"tokenizer.ggml.{part}") for part in ("tokens", "token_type", "merges")]
    if not all(isinstance(part, list) for part in lists):
        raise ValueError(f"{name} is damaged: tokens, token_type or merges is missing, or no list")
    tokens, kinds, merges = lists
    if len(tokens) != len(kinds):
        raise ValueError(f"{name} is damaged: {len(tokens)} tokens, but kinds of {len(kinds)}")
    _check_fields(fields, kinds, name)
    special = {text: i for i, text in enumerate(tokens) if kinds[i] == _CONTROL}
    added = _user_defined(tokens, kinds, name)
    pattern = GGUF_PATTERNS[cut]
    return built(name, tokens, merges, special, pattern, added=added, drop_unknown=True)


def _check_fields(fields: Mapping[str, Any], kinds: Sequence[int], name: str) -> None:
    """Refuse what could change the ids and is not read."""
    ours = {field: value for field, value in fields.items() if field.startswith("tokenizer.")}
    off = {f"tokenizer.ggml.{field}": allowed for field, allowed in OFF.items()}
    refuse_other(ours, off, name)
    named = {field: i for field, i in ours.items() if _NAMED_ID.fullmatch(field)}
    templates = {field for field in ours if _NAMED_TEMPLATE.fullmatch(field)}
    read = {f"tokenizer.ggml.{field}" for field in READ}
    harmless = {f"tokenizer.ggml.{field}" for field in HARMLESS}
    refuse_unknown(ours, read | named.keys(), harmless | templates | {*off, *TEMPLATES}, name)
    for field, i in named.items():  # readers make a special token of each such one
        if not isinstance(i, int) or not 0 <= i < len(kinds) or kinds[i] != _CONTROL:
            raise ValueError(f"{name} says {field} = {i!r}, which is the id of no special token")
    for i, kind in enumerate(kinds):
        if kind not in (_ORDINARY, _CONTROL, _USER_DEFINED):
            raise ValueError(
                f"{name} says tokenizer.ggml.token_type = {kind} for id {i}; built here are 1 "
                "(ordinary), 3 (special) and 4 (kept whole)"
            )


def _user_defined(tokens: Sequence[str], kinds: Sequence[int], name: str) -> dict[str, AddedToken]:
    """The tokens that are no commands and yet kept whole, as llama.cpp looks for them."""
    found, shown = {}, set(byte_characters())
    for i, (text, kind) in enumerate(zip(tokens, kinds, strict=True)):
        if kind != _USER_DEFINED:
            continue
        if not text.isascii() and set(text) <= shown:
            raise ValueError(
                f"{name} has the token {text!r} of kind 4; some read it as characters, some as "
                "bytes"
            )
        found[text] = AddedToken(id=i, ordinary=set(text) <= shown)
    return found


def chat_template(path: Path) -> str:
    """The chat template inside a GGUF model file, in the Jinja language; "" if it has none."""
    return read_gguf(path).fields.get("tokenizer.chat_template") or ""
