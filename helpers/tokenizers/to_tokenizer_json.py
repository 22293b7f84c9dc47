"""A tokenizer as the tokenizer.json of the tokenizers library, which gives the same ids.

What that form cannot say is refused by name. `tokenizer_json.py` reads such files.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from helpers.tokenizers.tokenizer import Tokenizer
from helpers.tokenizers.tokenizer_json import CUTS, check_shown

_FLAGS = ("single_word", "lstrip", "rstrip", "normalized", "special")


def to_tokenizer_json(tokenizer: Tokenizer) -> str:
    """The text of a tokenizer.json.

    In the library special tokens always come out of a text, as by encode(text, allow="all").
    Raises TypeError for another kind of tokenizer, ValueError, naming the field, for what the file
    cannot say.
    """
    if not isinstance(tokenizer, Tokenizer):
        raise TypeError(
            f"the tokenizer is a {type(tokenizer).__name__}; tokenizer.json is written of a "
            "byte-level BPE. A Vocabulary of words refuses unknown words and commands in a text, "
            "which such a file cannot say"
        )
    shown = tokenizer.show(range(len(tokenizer)))
    if len(set(shown)) < len(shown):
        twice = next(text for text in shown if shown.count(text) > 1)
        raise ValueError(f"the file cannot tell the special token {twice!r} from an ordinary one")
    _check_bytes(tokenizer)
    inside = _size_of_vocabulary(tokenizer)
    merges = dict.fromkeys(tokenizer.merges)  # of equal ones the first counts
    content = {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": _added(tokenizer),
        "normalizer": None,
        "pre_tokenizer": _cut(tokenizer.pattern),
        "post_processor": None,
        "decoder": {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True,
                    "use_regex": True},
        "model": {
            "type": "BPE",
            "dropout": None,
            "unk_token": None if tokenizer.unknown is None else shown[tokenizer.unknown],
            "continuing_subword_prefix": None,
            "end_of_word_suffix": None,
            "fuse_unk": False,
            "byte_fallback": False,
            "ignore_merges": tokenizer.ignore_merges,
            "vocab": {text: token for token, text in enumerate(shown[:inside])},
            "merges": [[shown[left], shown[right]] for left, right in merges],
        },
    }  # fmt: skip
    return json.dumps(content, ensure_ascii=False, indent=1)


def _check_bytes(tokenizer: Tokenizer) -> None:
    """The library leaves a byte without a token out; a tokenizer that refuses it is another one."""
    apart = {token.id for token in tokenizer.looked_for.values() if not token.ordinary}
    there = {token for i, token in enumerate(tokenizer.tokens) if i not in apart}
    missing = [byte for byte in range(256) if bytes([byte]) not in there]
    if missing and not tokenizer.drop_unknown and tokenizer.unknown is None:
        raise ValueError(
            f"the tokenizer refuses texts with the byte 0x{missing[0]:02x} (drop_unknown=False); "
            "the file cannot say that, and the library would leave it out"
        )


def _size_of_vocabulary(tokenizer: Tokenizer) -> int:
    """How many tokens stand in the vocabulary; those behind are in the list of added ones alone."""
    apart = {token.id for token in tokenizer.looked_for.values() if not token.ordinary}
    size = len(tokenizer)
    while size and size - 1 in apart and size - 1 != tokenizer.unknown:
        size -= 1
    for text, token in tokenizer.looked_for.items():
        if token.id < size and not token.special and not token.ordinary:
            raise ValueError(
                f"added token {text!r} has id {token.id}, before ordinary ones; in the file, added "
                "tokens that are not special come last"
            )
    return size


def _added(tokenizer: Tokenizer) -> list[dict[str, Any]]:
    found = []
    for text, token in sorted(tokenizer.looked_for.items(), key=lambda item: item[1].id):
        check_shown(text, "tokenizer.json")
        flags = {flag: asdict(token)[flag] for flag in _FLAGS}
        found.append({"id": token.id, "content": text, **flags})
    return found


def _cut(pattern: str) -> dict[str, Any]:
    for (kinds, by_regex), ours in CUTS.items():
        if ours == pattern:
            steps = {
                "Digits": {"type": "Digits", "individual_digits": True},
                "ByteLevel": {"type": "ByteLevel", "add_prefix_space": False,
                              "trim_offsets": True, "use_regex": by_regex},
            }  # fmt: skip
            if len(kinds) == 1:
                return steps[kinds[0]]
            return {"type": "Sequence", "pretokenizers": [steps[kind] for kind in kinds]}
    raise ValueError(
        f"the tokenizer cuts texts by the pattern {pattern!r}; written here are those that "
        "helpers.tokenizers.bpe names"
    )
