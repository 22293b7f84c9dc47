"""Byte-pair encoding (BPE) on bytes: cutting a text, learning merges, and merging.

A text is cut into pieces (a word with the space before it, a number, a run of signs), each piece
becomes its UTF-8 bytes, and inside a piece pairs of neighbours are merged by learned rules
(Sennrich et al. 2016; on bytes as in GPT-2, Radford et al. 2019). tokenizer.py makes a tokenizer
of it.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import pairwise

import regex

# How a text is cut. GPT-2: English endings, letters, digits, other signs, white space; the last
# space of a run is left to the word behind it.
GPT2 = r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
# SmolLM2 cuts out every digit before the rest, so white space meets a digit as it meets the end.
ONE_DIGIT = r"'(?:s|t|re|ve|m|ll|d)| ?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+|\s+(?![^\s\p{N}])|\s+"
WHOLE = r"(?s:.+)"  # no cut at all: merges may reach over blanks

Pair = tuple[int, int]
Rules = Mapping[Pair, tuple[int, int]]  # pair of ids -> (rank: lower goes first, id of the product)

_NONE = -1  # no id: in place of a token that was merged into the one before it


def check_text(text: str, name: str = "text") -> str:
    """The same text, once it is known to be one that can be written as bytes.

    Raises TypeError for anything but a str, ValueError for half a surrogate pair: it stands for no
    character, and UTF-8 has no bytes for it.
    """
    if not isinstance(text, str):
        raise TypeError(f"{name} is {type(text).__name__}; give a str")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = f"U+{ord(text[error.start]):04X} at place {error.start}"
        raise ValueError(
            f"{name} holds {half}, half of a surrogate pair and no character; "
            "give whole characters, or replace it first"
        ) from None
    return text


def pieces(text: str, pattern: str = GPT2) -> list[str]:
    """Cut a text; the pieces joined are the text again. Merges never reach over a cut.

    Raises as check_text does, and ValueError for a pattern that leaves a part of the text out.
    """
    found = regex.findall(pattern, check_text(text))
    if sum(map(len, found)) != len(text):
        raise ValueError(f"the pattern {pattern!r} leaves out a part of the text; match all of it")
    return found


@cache
def byte_characters() -> tuple[str, ...]:
    """A visible character for each byte, as vocabulary files write them (Radford et al. 2019).

    Bytes that are visible in Latin-1 stand for themselves, the other 68 for U+0100 and on: a space
    is shown as U+0120 (a G with a dot).
    """
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = iter(range(0x100, 0x200))
    return tuple(chr(byte if byte in visible else next(others)) for byte in range(256))


def show(token: bytes) -> str:
    """A token's bytes as visible characters."""
    return "".join(byte_characters()[byte] for byte in token)


@cache
def _byte_of() -> dict[str, int]:
    return {character: byte for byte, character in enumerate(byte_characters())}


def unshow(shown: str) -> bytes:
    """The bytes behind visible characters; ValueError for a character that stands for none."""
    try:
        return bytes(_byte_of()[character] for character in shown)
    except KeyError as error:
        raise ValueError(f"{shown!r} holds {error}, which stands for no byte") from None


# -- merging


def merge(row: Sequence[int], pair: Pair, new: int) -> list[int]:
    """The row with each occurrence of the pair, taken from the left, replaced by one id."""
    merged = []
    for token in row:
        # a product just made is no left part of the same pair: it is another id
        if merged and (merged[-1], token) == pair:
            merged[-1] = new
        else:
            merged.append(token)
    return merged


def apply_merges(row: Sequence[int], rules: Rules) -> list[int]:
    """Merge as long as a rule fits, the strongest (lowest rank) first: the readable version.

    Each round looks at the whole row, so a row of n ids costs up to n * n steps.
    """
    row = list(row)
    while len(row) > 1:
        best = min(pairwise(row), key=lambda p: rules.get(p, (math.inf, 0))[0])
        if best not in rules:
            break
        row = merge(row, best, rules[best][1])
    return row


def apply_merges_fast(row: Sequence[int], rules: Rules) -> list[int]:
    """The same ids as apply_merges, in about n steps in place of n * n.

    It notes where each rule fits and takes the rules by rank. The row is a linked list, so a merge
    touches its two neighbours only. A note is stale if another merge was there first.
    """
    n = len(row)
    row = [*row, _NONE]  # this is also row[-1]: beyond either end there is nothing
    after, before = list(range(1, n + 1)), list(range(-1, n))
    places: dict[tuple[int, int], list[int]] = {}  # rule -> where its pair may begin
    for i, pair in enumerate(pairwise(row)):
        if pair in rules:
            places.setdefault(rules[pair], []).append(i)
    waiting = list(places)  # the same rules as a heap, so that the strongest comes first
    heapq.heapify(waiting)
    while waiting:
        rule = heapq.heappop(waiting)
        for i in sorted(places.pop(rule)):
            j = after[i]
            if rules.get((row[i], row[j])) != rule:
                continue
            row[i], row[j] = rule[1], _NONE
            k = after[i] = after[j]
            h, before[k] = before[i], i
            for place, pair in ((h, (row[h], row[i])), (i, (row[i], row[k]))):
                found = rules.get(pair)
                if found is None:
                    continue
                if found not in places:
                    places[found] = []
                    heapq.heappush(waiting, found)
                places[found].append(place)
    return [token for token in row if token != _NONE]


# -- learning


def learn(text: str, merges: int, pattern: str = GPT2) -> tuple[list[bytes], list[Pair]]:
    """Learn merges from a text: again and again, the most frequent pair becomes a token.

    Of equally frequent pairs the one that is met first in the text counts. Returns: the tokens (the
    256 bytes, then the products in their order) and the merges. They are fewer than asked for if no
    pair is left that comes twice. Raises as check_text does, and ValueError for less than 0 merges.
    """
    if merges < 0:
        raise ValueError(f"merges is {merges}; give 0 or more")
    words = Counter(pieces(text, pattern))  # in the order in which the text has them
    rows = [list(word.encode()) for word in words]
    times = list(words.values())
    tokens = [bytes([byte]) for byte in range(256)]
    found: list[Pair] = []
    counts = count_pairs(rows, times)
    while len(found) < merges and counts and (most := max(counts.values())) >= 2:
        equal = {pair for pair, count in counts.items() if count == most}
        best = next(pair for row in rows for pair in pairwise(row) if pair in equal)
        changed = [i for i, row in enumerate(rows) if best in pairwise(row)]
        their_times = [times[i] for i in changed]
        # only these rows change, so only their pairs are counted anew
        counts -= count_pairs([rows[i] for i in changed], their_times)
        for i in changed:
            rows[i] = merge(rows[i], best, len(tokens))
        counts += count_pairs([rows[i] for i in changed], their_times)
        tokens.append(tokens[best[0]] + tokens[best[1]])
        found.append(best)
    return tokens, found


def count_pairs(rows: Iterable[Sequence[int]], times: Iterable[int]) -> Counter[Pair]:
    """How often each pair of neighbours comes, each row counted as often as `times` says.

    Pairs that overlap count each: a row of three equal ids has their pair twice.
    """
    pairs: Counter[Pair] = Counter()
    for row, count in zip(rows, times, strict=True):
        for pair in pairwise(row):
            pairs[pair] += count
    return pairs
