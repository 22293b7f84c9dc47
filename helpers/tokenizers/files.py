"""A tokenizer to a file of our own and back, and the lists that all files of tokenizers hold.

These are the tokens, whose bytes are written in visible characters (see bpe.byte_characters), and
the merges, each as two such texts with a space between.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

from helpers.fields import refuse_unknown
from helpers.files import write_whole
from helpers.tokenizers.added_tokens import AddedToken
from helpers.tokenizers.bpe import unshow
from helpers.tokenizers.tokenizer import Tokenizer

_FORM = "course tokenizer 1"
_LISTS = ("tokens", "merges", "special", "pattern")


def from_lists(
    tokens: Sequence[str],
    merges: Sequence[str | Sequence[str]],
    special: Mapping[str, int],
    pattern: str,
    *,
    added: Mapping[str, AddedToken] | None = None,
    **others: Any,
) -> Tokenizer:
    """A tokenizer from visible texts: the tokens by id, and merges as "a b" or ["a", "b"].

    others: what else a Tokenizer takes, as it is. Raises ValueError for lists that do not fit
    together.
    """
    added = dict(added or {})
    apart = {*special.values(), *(token.id for token in added.values() if not token.ordinary)}
    token_bytes = [
        text.encode() if token in apart else unshow(text) for token, text in enumerate(tokens)
    ]
    id_of = {text: token for token, text in enumerate(tokens) if token not in apart}
    pairs: dict[tuple[int, int], int] = {}
    for number, rule in enumerate(merges):
        parts = rule.split(" ") if isinstance(rule, str) else rule
        if len(parts) != 2 or any(part not in id_of for part in parts):
            raise ValueError(f"merge {number} is {rule!r}; give two tokens of the vocabulary")
        pair = (id_of[parts[0]], id_of[parts[1]])
        if pairs.setdefault(pair, number) != number:
            raise ValueError(f"merge {number} is {rule!r}, as merge {pairs[pair]}; give each once")
    return Tokenizer(
        tuple(token_bytes), tuple(pairs), dict(special), pattern, added=added, **others
    )


def built(name: str, *lists: Any, **others: Any) -> Tokenizer:
    """from_lists, with one sentence that names the file for whatever does not fit in it."""
    try:
        return from_lists(*lists, **others)
    except (ValueError, TypeError, AttributeError, KeyError) as error:
        raise ValueError(f"{name} is damaged: {error}") from None


# ---- our own form -------------------------------------------------------------------------------


def save(tokenizer: Tokenizer, path: Path) -> None:
    """Write a tokenizer as JSON. Raises OSError if it cannot be written."""
    write_whole(path, to_json(tokenizer))


def to_json(tokenizer: Tokenizer) -> str:
    """A tokenizer as JSON, the same text each time."""
    tokens = tokenizer.show(range(len(tokenizer)))
    content = {
        "form": _FORM,
        "pattern": tokenizer.pattern,
        "special": dict(tokenizer.special),
        "added": {text: asdict(token) for text, token in tokenizer.added.items()},
        **{name: getattr(tokenizer, name) for name in _others()},
        "tokens": tokens,
        "merges": [f"{tokens[left]} {tokens[right]}" for left, right in tokenizer.merges],
    }
    return json.dumps(content, ensure_ascii=False, indent=0)


def load(path: Path) -> Tokenizer:
    """The tokenizer that was saved. Raises ValueError for a damaged file or one of another form."""
    return from_json(read_text(path), path.name)


def from_json(text: str, name: str) -> Tokenizer:
    """The tokenizer that to_json made a text of; name: of its file, for refusals."""
    content = parse(text, name)
    if content.get("form") != _FORM:
        raise ValueError(f"{name} is no tokenizer that helpers.tokenizers.files.save wrote")
    others = {key: content[key] for key in _others() if key in content}
    refuse_unknown(content, (*_LISTS, *others, "added"), ("form",), name)
    try:
        added = {text: AddedToken(**token) for text, token in content.get("added", {}).items()}
    except (TypeError, AttributeError) as error:
        raise ValueError(f"{name} is damaged: {error}") from None
    return built(name, *(content.get(part) for part in _LISTS), added=added, **others)


def _others() -> list[str]:
    """What a Tokenizer has besides its lists, each a plain value."""
    return [field.name for field in fields(Tokenizer) if field.name not in (*_LISTS, "added")]


# ---- any JSON -----------------------------------------------------------------------------------


def read_text(path: Path) -> str:
    """The text of a file in UTF-8. Raises ValueError, naming the file, if it is none."""
    try:
        return path.read_text(encoding="utf-8")
    except ValueError as error:
        raise ValueError(f"{path.name} is damaged: {error}") from None


def parse(text: str, name: str) -> dict[str, Any]:
    """The object that a JSON text holds, {} if it holds anything else; name: of its file.

    Raises ValueError if it is no JSON, and for an object that says one field twice: readers differ
    in which one they take.
    """

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [key for key, _ in pairs]
            twice = next(key for key in names if names.count(key) > 1)
            raise ValueError(f"it says {twice!r} twice")
        return found

    try:
        content = json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{name} is damaged: {error}") from None
    return content if isinstance(content, dict) else {}
