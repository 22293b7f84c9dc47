"""Does our tokenizer give what the tokenizers library gives, and how fast is it? Recorded once.

    python -m helpers tokenizer    compare 100,000 drawn strings, time 1 MB, write the record

Both use the vocabulary and merges of the real model's file. That file says by name how texts are
cut (smollm), and the library is put together to do that: digits one by one, then byte level.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterable
from random import Random

import tokenizers
from tokenizers import AddedToken, decoders, models, pre_tokenizers

from helpers.files import ROOT, write_whole
from helpers.real_models import model_file
from helpers.tokenizers.bpe import ONE_DIGIT
from helpers.tokenizers.drawn_text import drawn_strings, one_of, whole
from helpers.tokenizers.gguf import from_gguf
from helpers.tokenizers.tokenizer import Tokenizer

RECORD = ROOT / "data" / "benchmarks" / "tokenizer.json"
STRINGS = 100_000
SEED = 18


def library_tokenizer(tokenizer: Tokenizer) -> tokenizers.Tokenizer:
    """The same vocabulary, merges and special tokens in the tokenizers library."""
    shown = tokenizer.show(range(len(tokenizer)))
    merges = [(shown[left], shown[right]) for left, right in tokenizer.merges]
    model = models.BPE({text: token for token, text in enumerate(shown)}, merges)
    library = tokenizers.Tokenizer(model)
    level = pre_tokenizers.ByteLevel(add_prefix_space=False)
    digits = [pre_tokenizers.Digits(individual_digits=True)]
    cuts = [*digits, level] if tokenizer.pattern == ONE_DIGIT else [level]
    library.pre_tokenizer = pre_tokenizers.Sequence(cuts)
    library.decoder = decoders.ByteLevel()
    special = [AddedToken(text, special=True, normalized=False) for text in tokenizer.special]
    library.add_special_tokens(special)
    return library


def differences(
    tokenizer: Tokenizer, library: tokenizers.Tokenizer, strings: Iterable[str]
) -> list[tuple[str, str]]:
    """What differs: (in which way, for which string).

    Compared are the ids with special tokens as ordinary text and as commands, and decoding.
    """
    found = []
    for text in strings:
        library.encode_special_tokens = True  # as ordinary text
        plain = tokenizer.encode(text)
        if plain != library.encode(text).ids:
            found.append(("ids", text))
        library.encode_special_tokens = False
        ids = tokenizer.encode(text, allow="all")
        if ids != library.encode(text).ids:
            found.append(("ids with special tokens allowed", text))
        if tokenizer.decode(ids) != library.decode(ids, skip_special_tokens=False):
            found.append(("decoding", text))
        ids = ids[1::2]  # every second one: characters are broken off
        if tokenizer.decode(ids) != library.decode(ids, skip_special_tokens=False):
            found.append(("decoding broken characters", text))
    return found


def megabytes() -> dict[str, str]:
    """Texts of about 1 MB in UTF-8: ordinary ones, and the hardest ones for merging."""
    dice = Random(SEED)
    words = [
        "".join(one_of(dice, "etaoinshrdlucm") for _ in range(whole(dice, 1, 10)))
        for _ in range(180_000)
    ]
    return {
        "drawn strings": "".join(drawn_strings(14_000, SEED)),
        "words that hardly ever come twice": " ".join(words)[:1_000_000],
        "letters without a space": "".join(words)[:1_000_000],
        "one letter again and again": "a" * 1_000_000,
        "spaces": " " * 1_000_000,
    }


def seconds(tokenizer: Tokenizer) -> dict[str, dict[str, float]]:
    """For each text its size and the processor's seconds to encode it, with nothing remembered."""
    table = {}
    for name, text in megabytes().items():
        fresh = Tokenizer(
            tokenizer.tokens, tokenizer.merges, tokenizer.special, tokenizer.pattern, True
        )
        fresh.encode("warm up")
        start = time.process_time()
        ids = fresh.encode(text)
        table[name] = {
            "MB": round(len(text.encode()) / 1e6, 3),
            "tokens": len(ids),
            "seconds": round(time.process_time() - start, 2),
        }
    return table


def main(arguments: list[str]) -> int:
    """python -m helpers tokenizer: compare, time, and write the record; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m helpers tokenizer")
    parser.add_argument("--strings", type=int, default=STRINGS, help="how many to compare")
    options = parser.parse_args(arguments)
    try:
        tokenizer = from_gguf(model_file.find())
    except model_file.NoModelFile as error:
        print(error, file=sys.stderr)
        return 1
    special = tuple(tokenizer.special)
    strings = drawn_strings(options.strings, SEED, special)
    found = differences(tokenizer, library_tokenizer(tokenizer), strings)
    for way, text in found[:10]:
        print(f"{way}: {text!r}")
    record = {
        "strings": options.strings,
        "seed": SEED,
        "differences": len(found),
        "tokenizers": tokenizers.__version__,
        "model file": model_file.NAME,
        "processor seconds": seconds(tokenizer),
    }
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    write_whole(RECORD, json.dumps(record, indent=2) + "\n")
    print(f"{options.strings} strings compared, {len(found)} differences; written to {RECORD.name}")
    return 1 if found else 0
