"""Tokenizers to files and back: our own JSON, a tokenizer.json, and a GGUF model file.

All three hold the same two lists: the tokens, whose bytes are written in visible characters (see
bpe.byte_characters), and the merges, each as two such texts with a space between.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from helpers.files import write_whole
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT, unshow
from helpers.tokenizers.tokenizer import Tokenizer
from helpers.weights.gguf_file import read_gguf

# how a text is cut, by the name that llama.cpp writes into a GGUF file
GGUF_PATTERNS = {"gpt-2": GPT2, "smollm": ONE_DIGIT}
_CONTROL = 3  # the kind of a special token in a GGUF file
_FORM = "course tokenizer 1"


def from_lists(
    tokens: Sequence[str],
    merges: Sequence[str | Sequence[str]],
    special: Mapping[str, int],
    pattern: str,
    *,
    drop_unknown: bool = False,
) -> Tokenizer:
    """A tokenizer from visible texts: the tokens by id, and merges as "a b" or ["a", "b"].

    Raises ValueError for lists that do not fit together.
    """
    commands = set(special.values())
    token_bytes = [
        text.encode() if token in commands else unshow(text) for token, text in enumerate(tokens)
    ]
    id_of = {text: token for token, text in enumerate(tokens) if token not in commands}
    pairs = []
    for number, rule in enumerate(merges):
        parts = rule.split(" ") if isinstance(rule, str) else rule
        if len(parts) != 2 or any(part not in id_of for part in parts):
            raise ValueError(f"merge {number} is {rule!r}; give two tokens of the vocabulary")
        pairs.append((id_of[parts[0]], id_of[parts[1]]))
    return Tokenizer(tuple(token_bytes), tuple(pairs), dict(special), pattern, drop_unknown)


def save(tokenizer: Tokenizer, path: Path) -> None:
    """Write a tokenizer as JSON. Raises OSError if it cannot be written."""
    write_whole(path, to_json(tokenizer))


def to_json(tokenizer: Tokenizer) -> str:
    """A tokenizer as JSON, the same text each time."""
    tokens = tokenizer.show(range(len(tokenizer)))
    content = {
        "form": _FORM,
        "pattern": tokenizer.pattern,
        "drop_unknown": tokenizer.drop_unknown,
        "special": dict(tokenizer.special),
        "tokens": tokens,
        "merges": [f"{tokens[left]} {tokens[right]}" for left, right in tokenizer.merges],
    }
    return json.dumps(content, ensure_ascii=False, indent=0)


def load(path: Path) -> Tokenizer:
    """The tokenizer that was saved. Raises ValueError for a damaged file or one of another form."""
    return from_json(_read_text(path), path.name)


def from_json(text: str, name: str) -> Tokenizer:
    """The tokenizer that to_json made a text of; name: of its file, for refusals."""
    content = _parse(text, name)
    if content.get("form") != _FORM:
        raise ValueError(f"{name} is no tokenizer that helpers.tokenizers.files.save wrote")
    lists = (content.get(part) for part in ("tokens", "merges", "special", "pattern"))
    return _built(name, *lists, drop_unknown=bool(content.get("drop_unknown")))


def from_tokenizer_json(path: Path) -> Tokenizer:
    """A tokenizer from the tokenizer.json of the tokenizers library.

    Raises ValueError for a damaged file, and for a kind of tokenizer that is not built here: no
    byte-level BPE, a normalizer, or another way of cutting.
    """
    content = _parse(_read_text(path), path.name)
    model, cut = content.get("model") or {}, content.get("pre_tokenizer") or {}
    if model.get("type") != "BPE" or content.get("normalizer") or model.get("byte_fallback"):
        raise ValueError(f"{path.name} is no plain byte-level BPE; other kinds are not built here")
    steps = cut.get("pretokenizers", [cut])
    kinds = [step.get("type") for step in steps]
    prefixed = any(step.get("add_prefix_space") for step in steps)
    one_digit = kinds == ["Digits", "ByteLevel"] and steps[0].get("individual_digits")
    if prefixed or not (kinds == ["ByteLevel"] or one_digit):
        raise ValueError(
            f"{path.name} cuts texts by {kinds}; built here are ByteLevel alone, and Digits one "
            "by one before ByteLevel, both without a space in front"
        )
    vocabulary = dict(model.get("vocab") or {})
    added = content.get("added_tokens") or []
    special = {token["content"]: token["id"] for token in added if token.get("special")}
    vocabulary |= special
    tokens = sorted(vocabulary, key=vocabulary.__getitem__)
    if sorted(vocabulary.values()) != list(range(len(tokens))):
        raise ValueError(f"{path.name} leaves out an id, or gives one twice")
    pattern = ONE_DIGIT if one_digit else GPT2
    return _built(path.name, tokens, model.get("merges"), special, pattern, drop_unknown=True)


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
    tokens, kinds, merges = (part if isinstance(part, list) else [] for part in lists)
    if len(tokens) != len(kinds):
        raise ValueError(f"{name} is damaged: {len(tokens)} tokens, but kinds of {len(kinds)}")
    special = {
        text: token
        for token, (text, kind) in enumerate(zip(tokens, kinds, strict=True))
        if kind == _CONTROL
    }
    return _built(name, tokens, merges, special, GGUF_PATTERNS[cut], drop_unknown=True)


def chat_template(path: Path) -> str:
    """The chat template inside a GGUF model file, in the Jinja language; "" if it has none."""
    return read_gguf(path).fields.get("tokenizer.chat_template") or ""


def _read_text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except ValueError as error:  # no UTF-8
        raise ValueError(f"{path.name} is damaged: {error}") from None


def _parse(text: str, name: str) -> dict:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise ValueError(f"{name} is damaged: {error}") from None
    return content if isinstance(content, dict) else {}


def _built(name: str, tokens, merges, special, pattern, *, drop_unknown: bool) -> Tokenizer:
    """from_lists, with one sentence for whatever does not fit in a file."""
    try:
        return from_lists(tokens, merges, special, pattern, drop_unknown=drop_unknown)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(f"{name} is damaged: {error}") from None
