"""Small tokenizer.json files as the tokenizers library writes them, and changes made to them."""

import json
from copy import deepcopy

import tokenizers
from tokenizers import decoders, models, pre_tokenizers, trainers

TEXT = "low lower lowest new newer newest, 12 times 12; the cat sat on the mat\n" * 3
# each field that is tried has to show in one of these
TEXTS = (
    "the <a> cats b<a>c",
    "a<think>the cats</think>b",
    "a!!b ! x",
    " cats sat ",
    "theEND END",
    "Lowest NEWER café e\u0301 ﬁ  12\u00a0\u200b\ttimes 1212\n",
    "日本 <a><m> \n<m> — “x”-y_z's 'm Abc.Def",
    "lowest x y low low low",
    "",
)


def base():
    """A byte-level BPE of 300 tokens and `<a>`, special; as the library's own object of JSON."""
    library = tokenizers.Tokenizer(models.BPE())
    library.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    library.decoder = decoders.ByteLevel()
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    trainer = trainers.BpeTrainer(
        vocab_size=300, special_tokens=["<a>"], initial_alphabet=alphabet, show_progress=False
    )
    library.train_from_iterator([TEXT], trainer)
    return json.loads(library.to_str())


BASE = base()
V = len(BASE["model"]["vocab"])


def changed(path, value, start=BASE):
    """A copy with another value at a path of keys; a callable makes it of the old one."""
    content = deepcopy(start)
    place = content
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value(place[path[-1]]) if callable(value) else value
    return content


def entry(content, id=V, **flags):
    """An added token as such files write it, not special."""
    off = ("single_word", "lstrip", "rstrip", "normalized", "special")
    return {"id": id, "content": content} | dict.fromkeys(off, False) | flags


def with_added(*entries, start=BASE):
    """A copy with more added tokens; those without an id of their own get the next ones."""
    numbered = [one | {"id": V + i} if one["id"] == V else one for i, one in enumerate(entries)]
    return changed(["added_tokens"], lambda old: old + numbered, start)


def results(library, texts=TEXTS):
    """All that a reader can get wrong: ids with commands allowed and not, and two decodings."""
    found = []
    for text in texts:
        library.encode_special_tokens = True
        plain = library.encode(text).ids
        library.encode_special_tokens = False
        ids = library.encode(text).ids
        found.append((plain, ids, library.decode(ids, False), library.decode(ids, True)))
    return found


def our_results(tokenizer, texts=TEXTS):
    """The same of our tokenizer."""
    found = []
    for text in texts:
        plain, ids = tokenizer.encode(text), tokenizer.encode(text, allow="all")
        shown = tokenizer.decode(ids), tokenizer.decode(ids, special=False)
        found.append((plain, ids, *shown))
    return found
