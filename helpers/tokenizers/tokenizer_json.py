"""A tokenizer from the tokenizer.json of the tokenizers library: the same ids, or a refusal.

What is built here is byte-level BPE as GPT-2 and SmolLM2 have it, with all that their files can say
about added tokens. Each field is read, or stands below as one that cannot change the ids, or is
refused by its name; a few are read only where they say "nothing of the kind".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from helpers.fields import refuse_other, refuse_unknown
from helpers.tokenizers.added_tokens import AddedToken
from helpers.tokenizers.bpe import GPT2, ONE_DIGIT, WHOLE, byte_characters, pieces
from helpers.tokenizers.files import built, parse, read_text
from helpers.tokenizers.tokenizer import Tokenizer

# what is read
TOP = ("added_tokens", "pre_tokenizer", "post_processor", "decoder", "model")
MODEL = ("type", "vocab", "merges", "unk_token", "ignore_merges")
ADDED = ("id", "content", "special", "lstrip", "rstrip", "single_word", "normalized")
# what is read only where it says that nothing is done
TOP_OFF = {
    "version": ("1.0",),
    "truncation": (None,),
    "padding": (None,),
    "normalizer": (None,),
}
MODEL_OFF = {
    "dropout": (None, 0.0),
    "continuing_subword_prefix": (None, ""),
    "end_of_word_suffix": (None, ""),
    "byte_fallback": (None, False),
}
STEPS = {  # of the pre_tokenizer
    "ByteLevel": {"add_prefix_space": (False,), "use_regex": (False, True)},
    "Digits": {"individual_digits": (True,)},
}
# what cannot change ids: where in the text each token stood, and, in a decoder, how a text was cut
OFFSETS = ("trim_offsets",)
NOT_IN_DECODING = ("add_prefix_space", "trim_offsets", "use_regex")

# kinds of steps, and whether the last one cuts by GPT-2's pattern -> our pattern
CUTS = {
    (("ByteLevel",), True): GPT2,
    (("ByteLevel",), False): WHOLE,
    (("Digits", "ByteLevel"), True): ONE_DIGIT,
}


def from_tokenizer_json(path: Path) -> Tokenizer:
    """A tokenizer from the tokenizer.json of the tokenizers library.

    Raises ValueError for a damaged file, for a kind of tokenizer that is not built here, and for
    any field that is not known.
    """
    name = path.name
    content = parse(read_text(path), name)
    model = content.get("model") or {}
    if not isinstance(model, dict) or model.get("type") != "BPE":
        kind = model.get("type") if isinstance(model, dict) else model
        raise ValueError(
            f"{name} is no plain byte-level BPE; other kinds are not built here: model.type = "
            f"{kind!r}"
        )
    refuse_other(content, TOP_OFF, name)
    refuse_unknown(content, TOP, TOP_OFF, name)
    _check_around(content, name)
    pattern = _pattern(content.get("pre_tokenizer"), name)
    return _from_model(model, content.get("added_tokens") or [], pattern, name)


def _from_model(model: dict[str, Any], listed: list, pattern: str, name: str) -> Tokenizer:
    """A tokenizer of the parts that give ids."""
    where = f"{name}, model"
    refuse_other(model, MODEL_OFF, where)
    refuse_other(model, {"ignore_merges": (None, False, True)}, where)
    unknown = model.get("unk_token")
    if unknown is not None:  # else there is nothing to fuse
        refuse_other(model, {"fuse_unk": (None, False)}, where, "is built here beside unk_token")
    refuse_unknown(model, (*MODEL, "fuse_unk"), MODEL_OFF, where)
    vocabulary = model.get("vocab")
    if not isinstance(vocabulary, dict):
        raise ValueError(f"{where}: vocab is missing, or no object of tokens and ids")
    added = _added_tokens(listed, vocabulary, name)
    ids = vocabulary | {text: token.id for text, token in added.items()}
    tokens = sorted(ids, key=ids.__getitem__)
    if sorted(ids.values()) != list(range(len(tokens))):
        raise ValueError(f"{name} leaves out an id, or gives one twice")
    if unknown is not None and unknown not in vocabulary:
        raise ValueError(f"{where} says unk_token = {unknown!r}, which its vocab does not hold")
    tokenizer = built(
        name,
        tokens,
        model.get("merges"),
        {text: token.id for text, token in added.items() if token.special},
        pattern,
        added={text: token for text, token in added.items() if not _is_plain(token)},
        drop_unknown=unknown is None,
        unknown=None if unknown is None else vocabulary[unknown],
        ignore_merges=bool(model.get("ignore_merges")),
    )
    if tokenizer.ignore_merges:
        for text in tokenizer.special:
            if text in vocabulary and pieces(text, pattern) == [text]:
                raise ValueError(
                    f"{where} says ignore_merges = True, by which a text could give the special "
                    f"token {text!r} of its vocab, allowed or not; this is refused"
                )
    return tokenizer


def _is_plain(token: AddedToken) -> bool:
    """Whether it is looked for as every special token is, so that its id says all."""
    return token == AddedToken(id=token.id, special=True)


def _added_tokens(listed: list, vocabulary: Mapping[str, int], name: str) -> dict[str, AddedToken]:
    """The added tokens by their text, once each has the id that the library gives it.

    The library passes over the ids in the file: a text of the vocabulary keeps its id, the others
    get the next ones in the order of the list.
    """
    found: dict[str, AddedToken] = {}
    following = len(vocabulary)
    for number, given in enumerate(listed):
        where = f"{name}, added_tokens[{number}]"
        token = added_token(given, where)
        text = given["content"]
        check_shown(text, where)
        expected = vocabulary.get(text, following)
        following += text not in vocabulary
        if text in found:
            raise ValueError(f"{where} says content = {text!r}, as one before it; give each once")
        if given.get("id") != expected:
            raise ValueError(
                f"{where} says id = {given.get('id')!r}, but by its place it is {expected}; the "
                "library would take that one"
            )
        ordinary = text in vocabulary and not token.special
        found[text] = AddedToken(
            id=expected, ordinary=ordinary, **{flag: getattr(token, flag) for flag in _FLAGS}
        )
    return found


_FLAGS = [field.name for field in fields(AddedToken) if field.name not in ("id", "ordinary")]


def added_token(given: Any, where: str) -> AddedToken:
    """One entry of a list of added tokens; its id is 0 here, since files have it in other places.

    Raises ValueError for a field that is missing, unknown, or of another type.
    """
    if not isinstance(given, dict) or not given.get("content"):
        raise ValueError(f"{where} has no content")
    refuse_unknown(given, ADDED, (), where)
    for flag in _FLAGS:
        if type(given.get(flag)) is not bool:
            raise ValueError(f"{where} says {flag} = {given.get(flag)!r}; give true or false")
    return AddedToken(id=0, **{flag: given[flag] for flag in _FLAGS})


def check_shown(text: str, where: str) -> None:
    """Refuse an added token that the library would decode to other bytes than its text.

    It takes a token whose characters all stand for bytes for these bytes: U+00E9 alone would come
    back as the byte E9, which is no UTF-8.
    """
    if not text.isascii() and set(text) <= set(byte_characters()):
        raise ValueError(
            f"{where} says content = {text!r}, which byte level decodes to other bytes"
        )


# ---- before and behind the model ----------------------------------------------------------------


def _pattern(cut: Any, name: str) -> str:
    """How texts are cut, by the steps of the pre_tokenizer."""
    steps, where = [cut], f"{name}, pre_tokenizer"
    if isinstance(cut, dict) and cut.get("type") == "Sequence":
        refuse_unknown(cut, ("type", "pretokenizers"), (), f"{where} Sequence")
        steps = cut.get("pretokenizers") or []
    kinds = tuple(str(step.get("type") if isinstance(step, dict) else step) for step in steps)
    by_regex = True
    for kind, step in zip(kinds, steps, strict=True):
        if kind in STEPS and kinds[-1] == "ByteLevel":
            refuse_other(step, STEPS[kind], f"{where} {kind}")
            refuse_unknown(step, ("type",), (*STEPS[kind], *OFFSETS), f"{where} {kind}")
            by_regex = step.get("use_regex", True)
    if (kinds, by_regex) not in CUTS:
        raise ValueError(
            f"{where}: it cuts texts by {list(kinds)}; built here are ByteLevel "
            "alone, and Digits one by one before ByteLevel, both without a space in front"
        )
    return CUTS[kinds, by_regex]


def _check_around(content: Mapping[str, Any], name: str) -> None:
    """Refuse a post_processor that adds ids, and a decoder that is not byte level."""
    for part, may_be_absent in (("post_processor", True), ("decoder", False)):
        step = content.get(part)
        if step is None and may_be_absent:
            continue
        kind = step.get("type") if isinstance(step, dict) else step
        if kind != "ByteLevel":
            raise ValueError(f"{name} says {part} = {kind}; only ByteLevel is built here")
        refuse_unknown(step, ("type",), NOT_IN_DECODING, f"{name}, {part}")
