"""Each field of a tokenizer.json that the tokenizers library knows: equal ids, or refused by name.

The library itself is asked what there is: its classes, and the fields that it writes for them. A
version with a new one fails here until the new one is tried as well.
"""

import inspect
import json
import re
from copy import deepcopy
from functools import reduce

import pytest
import tokenizers
from tokenizers import Regex, decoders, models, normalizers, pre_tokenizers, processors

from helpers.tokenizers.tokenizer_json import from_tokenizer_json
from tests.tokenizers.library_files import (
    BASE,
    V,
    changed,
    entry,
    our_results,
    results,
    with_added,
)


def verdict(tmp_path, content, words):
    """Return the library's results for a file, and ours: "equal", or "refused" by one of the words.

    Where the library cannot read or use a file, its results are None.
    """
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    try:
        theirs = results(tokenizers.Tokenizer.from_file(str(path)))
    except BaseException as error:  # a panic inside the library is no Exception
        if isinstance(error, KeyboardInterrupt):
            raise
        return None, "not read by the library"
    try:
        ours = our_results(from_tokenizer_json(path))
    except ValueError as error:
        assert "\n" not in str(error) and any(word in str(error) for word in words), str(error)
        return theirs, "refused"
    assert ours == theirs
    return theirs, "equal"


def without_token(shown):
    """The plain file, where the token of one byte is another text that no text gives."""
    content = deepcopy(BASE)
    vocabulary = content["model"]["vocab"]
    vocabulary["zzz"] = vocabulary.pop(shown)
    return content


def unmade():
    """The plain file, with a token for ` cats` that no merge makes."""
    return changed(["model", "vocab"], lambda old: old | {"Ġcats": V})


# ---- the cases of the second round --------------------------------------------------------------


def read(tmp_path, content):
    path = tmp_path / "tokenizer.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    return from_tokenizer_json(path), tokenizers.Tokenizer.from_str(json.dumps(content))


def test_d01_an_added_token_that_is_not_special_comes_out_of_a_text(tmp_path):
    tokenizer, library = read(tmp_path, with_added(entry("<think>"), entry("</think>")))
    ids = tokenizer.encode("a<think>the cat</think>b")
    assert (
        ids
        == library.encode("a<think>the cat</think>b").ids
        == tokenizer.encode_readable("a<think>the cat</think>b")
    )
    assert len(tokenizer) == V + 2 and {V, V + 1} < set(ids)
    assert tokenizer.decode(ids, special=False) == "a<think>the cat</think>b"
    assert list(tokenizer.special) == ["<a>"]


def test_d02_white_space_belongs_to_a_mask_and_a_single_word_stands_alone(tmp_path):
    content = with_added(
        entry("<mask>", special=True, lstrip=True), entry("END", special=True, single_word=True)
    )
    tokenizer, library = read(tmp_path, content)
    for text in ("the <mask> cat", "theEND END"):
        assert tokenizer.encode(text, allow="all") == library.encode(text).ids
    assert tokenizer.encode("the <mask>", allow="all") == [*tokenizer.encode("the"), V]
    assert tokenizer.encode("theEND END", allow="all")[-1] == V + 1
    assert tokenizer.encode("theEND", allow="all") == tokenizer.encode("theEND")


def test_d03_without_the_pattern_merges_cross_blanks(tmp_path):
    content = changed(["pre_tokenizer", "use_regex"], False)
    content["model"]["vocab"] |= {"tĠ": V, "atĠ": V + 1}
    content["model"]["merges"] = [["t", "Ġ"], ["a", "tĠ"], *content["model"]["merges"]]
    tokenizer, library = read(tmp_path, content)
    assert tokenizer.encode("the cat sat on") == library.encode("the cat sat on").ids
    assert V + 1 in tokenizer.encode("the cat sat on")


def told(value):
    """Return a value as part of a test's name, the same in every process."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(value))


@pytest.mark.parametrize("ignore", [True, False])
def test_d04_a_piece_that_is_a_token_is_taken_whole_where_merges_are_ignored(tmp_path, ignore):
    tokenizer, library = read(tmp_path, changed(["model", "ignore_merges"], ignore, unmade()))
    assert tokenizer.encode(" cats") == library.encode(" cats").ids
    assert (tokenizer.encode(" cats") == [V]) is ignore


@pytest.mark.parametrize("unknown", ["<a>", None])
def test_d05_a_byte_without_a_token_is_the_unknown_token_or_is_dropped(tmp_path, unknown):
    tokenizer, library = read(
        tmp_path, changed(["model", "unk_token"], unknown, without_token("!"))
    )
    a, b = tokenizer.encode("a"), tokenizer.encode("b")
    middle = [BASE["model"]["vocab"]["<a>"]] * 2 if unknown else []
    assert tokenizer.encode("a!!b") == library.encode("a!!b").ids == [*a, *middle, *b]


def test_d04_no_text_gives_a_special_token_by_being_taken_whole(tmp_path):
    """In the library it does, commands allowed or not; such a file is refused."""
    content = changed(["model", "ignore_merges"], True)
    content["added_tokens"][0]["content"] = "lowest"
    content["model"]["vocab"]["lowest"] = content["model"]["vocab"].pop("<a>")
    content["model"]["merges"] = []
    library = tokenizers.Tokenizer.from_str(json.dumps(content))
    library.encode_special_tokens = True
    assert library.encode("lowest").ids == [content["added_tokens"][0]["id"]]
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="ignore_merges = True, by which a text could give"):
        from_tokenizer_json(tmp_path / "tokenizer.json")


# ---- the fields of the file, of its model, and of its added tokens ------------------------------

TRUNCATION = {"direction": "Right", "max_length": 2, "strategy": "LongestFirst", "stride": 0}
PADDING = {
    "strategy": {"Fixed": 40}, "direction": "Right", "pad_to_multiple_of": None, "pad_id": 0,
    "pad_type_id": 0, "pad_token": "<a>",
}  # fmt: skip
MERGES = BASE["model"]["merges"]
CROSSING = changed(["model", "merges"], lambda old: [["t", "Ġ"], *old])
CROSSING["model"]["vocab"] |= {"tĠ": V}
TEXT_A = {"Sequence": {"id": "A", "type_id": 0}}
TEMPLATE = {
    "type": "TemplateProcessing",
    "single": [{"SpecialToken": {"id": "<a>", "type_id": 0}}, TEXT_A],
    "pair": [TEXT_A, {"Sequence": {"id": "B", "type_id": 0}}],
    "special_tokens": {"<a>": {"id": "<a>", "ids": [0], "tokens": ["<a>"]}},
}  # fmt: skip
UNKNOWN = changed(["model", "unk_token"], "<a>", without_token("!"))
SIX_BYTES = changed(["model", "vocab"], lambda old: old | {"<0x21>": V}, without_token("!"))
SAME, OTHER = False, True  # whether the library's ids or texts are others than before
# (path, value, file that it is changed in, library's result, our verdict, a word of the refusal)
FIELDS = [
    (["version"], "1.0", BASE, SAME, "equal", ""),
    (["truncation"], TRUNCATION, BASE, OTHER, "refused", "truncation"),
    (["padding"], PADDING, BASE, OTHER, "refused", "padding"),
    (["added_tokens"], [], BASE, OTHER, "equal", ""),
    (["normalizer"], {"type": "Lowercase"}, BASE, OTHER, "refused", "normalizer"),
    (["pre_tokenizer"], None, BASE, OTHER, "refused", "pre_tokenizer"),
    (["post_processor"], TEMPLATE, BASE, OTHER, "refused", "post_processor"),
    (["decoder"], None, BASE, OTHER, "refused", "decoder"),
    (["model"], changed(["merges"], [], BASE["model"]), BASE, OTHER, "equal", ""),
    (["model", "type"], "WordLevel", UNKNOWN, OTHER, "refused", "model.type"),
    (["model", "dropout"], 1.0, BASE, OTHER, "refused", "dropout"),
    (["model", "dropout"], 0.0, BASE, SAME, "equal", ""),
    (["model", "unk_token"], "<a>", without_token("!"), OTHER, "equal", ""),
    (["model", "unk_token"], "b", without_token("!"), OTHER, "equal", ""),
    (["model", "unk_token"], "<a>", BASE, SAME, "equal", ""),
    (["model", "unk_token"], "missing", BASE, SAME, "refused", "unk_token"),
    (["model", "continuing_subword_prefix"], "##", changed(["model", "merges"], []), OTHER,
     "refused", "continuing_subword_prefix"),
    (["model", "continuing_subword_prefix"], "", BASE, SAME, "equal", ""),
    (["model", "end_of_word_suffix"], "</w>", BASE, OTHER, "refused", "end_of_word_suffix"),
    (["model", "end_of_word_suffix"], "", BASE, SAME, "equal", ""),
    (["model", "fuse_unk"], True, UNKNOWN, OTHER, "refused", "fuse_unk"),
    (["model", "fuse_unk"], True, without_token("!"), SAME, "equal", ""),
    (["model", "byte_fallback"], True, SIX_BYTES, OTHER, "refused", "byte_fallback"),
    (["model", "ignore_merges"], True, unmade(), OTHER, "equal", ""),
    (["model", "ignore_merges"], True, BASE, SAME, "equal", ""),
    (["model", "vocab"], lambda old: old | {"l": old["o"], "o": old["l"]}, BASE, OTHER,
     "equal", ""),
    (["model", "merges"], MERGES[:3], BASE, OTHER, "equal", ""),
    (["model", "merges"], [*MERGES, MERGES[0]], BASE, OTHER, "refused", "merge 3"),
    (["model", "merges"], [" ".join(pair) for pair in MERGES], BASE, SAME, "equal", ""),
    (["added_tokens", 0, "id"], 7, BASE, SAME, "refused", "id = 7"),
    (["added_tokens"], [entry("<think>", V + 1), entry("</think>", V)], BASE, OTHER,
     "refused", "id"),
    (["added_tokens", 0, "content"], "!", BASE, OTHER, "refused", "id = 0"),
    (["added_tokens"], [entry("the cat", V)], BASE, OTHER, "equal", ""),
    (["added_tokens"], [entry("é", BASE["model"]["vocab"]["é"])], BASE, OTHER, "refused",
     "content"),
    (["added_tokens", 0, "single_word"], True, BASE, OTHER, "equal", ""),
    (["added_tokens", 0, "lstrip"], True, BASE, OTHER, "equal", ""),
    (["added_tokens", 0, "rstrip"], True, BASE, OTHER, "equal", ""),
    (["added_tokens", 0, "normalized"], True, with_added(entry("> cats")), OTHER, "equal", ""),
    (["added_tokens", 0, "special"], False, BASE, OTHER, "equal", ""),
    (["pre_tokenizer", "use_regex"], False, CROSSING, OTHER, "equal", ""),
]  # fmt: skip


@pytest.mark.parametrize(
    "path, value, start, result, wanted, word", FIELDS, ids=lambda x: told(x)[:30]
)
def test_a_field_gives_the_librarys_ids_or_is_refused_by_name(
    tmp_path, path, value, start, result, wanted, word
):
    before = results(tokenizers.Tokenizer.from_str(json.dumps(start)))
    theirs, found = verdict(tmp_path, changed(path, value, start), [word])
    assert (found, theirs != before) == (wanted, result)


def test_no_field_of_the_file_of_its_model_or_of_an_added_token_is_left_out():
    tried = {tuple(path) for path, *_ in FIELDS}
    library = set(json.loads(tokenizers.Tokenizer(models.BPE()).to_str()))
    assert library == {path[0] for path in tried if len(path) == 1}
    assert set(BASE["model"]) == {path[1] for path in tried if path[0] == "model" and path[1:]}
    assert set(BASE["added_tokens"][0]) == {path[2] for path in tried if len(path) == 3}


@pytest.mark.parametrize(
    "place", [[], ["model"], ["added_tokens", 0], ["pre_tokenizer"], ["decoder"]]
)
def test_a_field_that_no_version_knows_is_refused_in_every_part(tmp_path, place):
    content = changed([*place, "new_field"], 0) if place else BASE | {"new_field": 0}
    (tmp_path / "tokenizer.json").write_text(json.dumps(content))
    with pytest.raises(ValueError, match="says new_field = 0, which is not known here"):
        from_tokenizer_json(tmp_path / "tokenizer.json")


# ---- all other parts ----------------------------------------------------------------------------

A, B = ("<a>", 0), ("l", 1)
LEVEL, UNCUT = pre_tokenizers.ByteLevel(False), pre_tokenizers.ByteLevel(False, use_regex=False)
# every class of the library: the part that it stands in, and arguments to make it with
MADE = {
    normalizers: ("normalizer", {
        "BertNormalizer": [(), (False, False, None, False)], "ByteLevel": [()], "Lowercase": [()],
        "NFC": [()], "NFD": [()], "NFKC": [()], "NFKD": [()], "Nmt": [()], "Prepend": [("x",)],
        "Replace": [("l", "w"), (Regex("[ln]"), "")], "Strip": [()], "StripAccents": [()],
        "Sequence": [([],), ([normalizers.Lowercase()],)],
        "Precompiled": [],  # only made of another tokenizer's table of characters
    }),
    pre_tokenizers: ("pre_tokenizer", {
        "BertPreTokenizer": [()], "ByteLevel": [(), (False,)], "CharDelimiterSplit": [("e",)],
        "Digits": [()], "FixedLength": [()], "Metaspace": [()], "Punctuation": [()],
        "Split": [("e", "isolated"), (Regex("[aeiou]"), "removed")], "UnicodeScripts": [()],
        "Whitespace": [()], "WhitespaceSplit": [()],
        "Sequence": [([],), ([LEVEL],), ([UNCUT],), ([pre_tokenizers.Digits(True), LEVEL],),
                     ([pre_tokenizers.Digits(False), LEVEL],), ([LEVEL, LEVEL],),
                     ([pre_tokenizers.Digits(True), UNCUT],),
                     ([LEVEL, pre_tokenizers.Digits(True)],),
                     ([pre_tokenizers.Split(Regex("[^ ]+"), "isolated"), UNCUT],)],
    }),
    processors: ("post_processor", {
        "BertProcessing": [(A, B)], "ByteLevel": [()], "RobertaProcessing": [(A, B)],
        "Sequence": [([],), ([processors.ByteLevel()],)],
        "TemplateProcessing": [("<a> $A", None, [A]), ("$A",)],
    }),
    decoders: ("decoder", {
        "BPEDecoder": [()], "ByteFallback": [()], "ByteLevel": [()], "CTC": [()], "Fuse": [()],
        "Metaspace": [()], "Replace": [("l", "w")], "Strip": [("l", 1, 0)], "WordPiece": [()],
        "Sequence": [([],), ([decoders.ByteLevel()],)],
    }),
}  # fmt: skip
ABSTRACT = {"Normalizer", "PreTokenizer", "PostProcessor", "Decoder", "DecodeStream"}


def classes(module):
    """The names of a module's classes that stand in files."""
    return {name for name, _ in inspect.getmembers(module, inspect.isclass)} - ABSTRACT


def written(module, name, arguments):
    """What the library writes for one of its objects."""
    library = tokenizers.Tokenizer(models.BPE())
    part = MADE[module][0]
    setattr(library, part, getattr(module, name)(*arguments))
    return json.loads(library.to_str())[part]


def leaves(part, path=()):
    """Every field in a part, as a path; lists and objects are gone into."""
    pairs = part.items() if isinstance(part, dict) else enumerate(part)
    for key, value in pairs:
        if isinstance(value, (dict, list)) and value:
            yield from leaves(value, (*path, key))
        yield (*path, key)


def others(value):
    """Other values for a field; those of a wrong kind are ones that the library does not read."""
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int):
        return [value + 1]
    words = ["e", "x", "B", "Isolated", "Removed", "Contiguous", "never", "first", "always"]
    return [True, *words] if value is None else [word for word in words if word != value]


def scalars(part):
    """Each field that holds one value, as a path."""
    for path in leaves(part):
        value = reduce(lambda inner, key: inner[key], path, part)
        if isinstance(path[-1], str) and path[-1] != "type" and not isinstance(value, (dict, list)):
            yield path, value


PARTS = [
    (module, name, arguments)
    for module, (_, made) in MADE.items()
    for name in made
    for arguments in made[name]
]


@pytest.mark.parametrize("module, name, arguments", PARTS, ids=lambda x: told(x)[-40:])
def test_every_part_and_each_of_its_fields_is_equal_or_refused(tmp_path, module, name, arguments):
    place, part = MADE[module][0], written(module, name, arguments)
    theirs, _ = verdict(tmp_path, changed([place], part), [place])
    assert theirs is not None
    for path, value in scalars(part):
        found = [
            verdict(tmp_path, changed([place], changed(path, other, part)), [place])
            for other in others(value)
        ]
        # the name of a token in a template stands in three places: one alone is not read
        assert any(theirs is not None for theirs, _ in found) or path[-1] == "id", path


def test_no_kind_of_part_is_left_out():
    for module, (_, made) in MADE.items():
        assert classes(module) == set(made)
    assert classes(models) == {"BPE", "Model", "Unigram", "WordLevel", "WordPiece"}


@pytest.mark.parametrize("name", ["Unigram", "WordLevel", "WordPiece"])
def test_every_other_model_is_refused(tmp_path, name):
    library = tokenizers.Tokenizer(getattr(models, name)())
    library.save(str(tmp_path / "tokenizer.json"))
    with pytest.raises(ValueError, match=f"model.type = '{name}'"):
        from_tokenizer_json(tmp_path / "tokenizer.json")
