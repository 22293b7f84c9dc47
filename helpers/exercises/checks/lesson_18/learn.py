"""Exercise 18.6: learn merges."""

from collections import Counter
from functools import partial
from itertools import pairwise

import torch

from helpers.exercises import expect
from helpers.exercises.checks.slips import slip_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.tokenizers.bpe import merge

learn = Exercise(
    "18.6",
    "learn",
    title="Learn merges",
    minutes=25,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "18.1 and 18.2 are the two steps of one round. What changes when a word comes ten times: "
        "the pairs that you count, or how much each of them counts?",
        "{'aaabdaaabac': 1} with 3 merges gives [[97, 97], [256, 97], [257, 98]]. In {'ab': 1, "
        "'cd': 5} the pair of c and d comes first. {'abc': 1} gives nothing: no pair comes twice.",
        "rows = [list(word.encode()) for word in words]; each round: a Counter over all rows, "
        "counts[pair] += times; best by max(counts, key=counts.get); stop if there is none or its "
        "count is below 2; merge it in every row into 256 + len(merges).",
    ),
)


def learned(
    words: dict[str, int],
    count: int,
    weigh: bool = True,
    least: int = 2,
    glue: bool = False,
    last: bool = False,
    first_id: int = 256,
    smaller: bool = False,
    first_round: bool = False,
    across: bool = False,
) -> list[list[int]]:
    """Return the merges; the arguments make the known slips."""
    rows = [list(word.encode()) for word in words]
    times = list(words.values()) if weigh else [1] * len(rows)
    if glue:
        rows, times = [[n for row, k in zip(rows, times, strict=True) for n in row * k]], [1]
    merges, met = [], {}
    while len(merges) < count:
        counts = Counter()
        for row, k in zip(rows, times, strict=True):
            for pair in pairwise(row):
                counts[pair] += k
        if across:
            for left, right in pairwise(rows):
                counts[left[-1], right[0]] += 1
        for pair in counts:
            met.setdefault(pair, len(met))
        order = list(counts)[::-1] if last else list(counts)
        order = sorted(counts) if smaller else order
        order = sorted(counts, key=met.get) if first_round else order
        best = max(order, key=counts.get, default=None)
        if best is None or counts[best] < least:
            break
        rows = [merge(row, best, first_id + len(merges)) for row in rows]
        merges.append(list(best))
    return merges


SLIPS = {
    "of equally frequent pairs the smaller ids win: take the one that is met first": partial(
        learned, smaller=True
    ),
    "the order of an earlier round is kept: who is met first is asked anew in each": partial(
        learned, first_round=True
    ),
    "a pair of the end of one word and the beginning of the next is counted": partial(
        learned, across=True
    ),
}
PROBES = [
    ({"dcdc": 1}, 2),
    ({"zy": 2, "ab": 2}, 2),
    ({"xa": 3, "bx": 2, "ax": 1}, 5),
    ({"cbcb": 1, "abcab": 1}, 4),
    ({"low": 5, "lower": 2, "newest": 6, "widest": 3}, 8),
    ({"ab": 1, "cd": 1, "ab ": 1, "cd ": 1, "abcd": 2}, 6),
    ({"ab": 1, "cd": 1, "xb": 1, "cy": 1}, 2),  # a pair across words comes twice
    ({"xyz": 2, "ab": 2}, 1),
    ({"ab": 2, "xyz": 3}, 1),
    ({"bc": 3, "aaa": 2}, 1),
    ({"éa": 2, "éb": 3}, 2),
]


def compare(call, words: dict[str, int], count: int) -> None:
    """Compare the merges, and name the known slips."""
    seen = f"for {show(words)} and {count} merges"
    got = expect.items(call(words, count), seen=seen)
    got = [expect.wholes(pair, 2, seen) for pair in got]
    right = learned(words, count)
    if got != right and (fault := slip_of(call, PROBES, SLIPS)):
        raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(right)}")
    known = (
        (learned(words, count, weigh=False), "each word counts once, however often it comes"),
        (learned(words, count, least=1), "a pair that comes once is merged"),
        (learned(words, count, least=3), "a pair that comes twice is not merged"),
        (learned(words, count, glue=True), "pairs reach over the end of a word"),
        (learned(words, count, last=True), "of equally frequent pairs the last one is taken"),
        (learned(words, count, first_id=257), "the first product has id 256"),
        (learned(words, count + 1), "there is one merge too many"),
        (learned(words, max(0, count - 1)), "there is one merge too few"),
    )
    expect.equal(got, right, f"{seen},", "the merges are not the right ones", known)


@learn.property("it is a list of pairs, the strongest first")
def learn_trace(call, draw):
    """C53."""
    for count in (3, 1, 0):
        compare(call, {"aaabdaaabac": 1}, count)
    compare(call, {}, 3)


@learn.property("a word counts as often as it comes, and no pair reaches over its end")
def learn_weights(call, draw):
    """Few words that come often against many that come once."""
    compare(call, {"ab": 1, "abx": 1, "cd": 5}, 1)
    compare(call, {"low": 5, "lower": 2, "newest": 6, "widest": 3}, 8)
    compare(call, {"xa": 3, "bx": 2}, 5)
    compare(call, {"ab": 4}, 5)


@learn.property("of equally frequent pairs the one met first is taken")
def learn_ties(call, draw):
    """Pairs in falling order of ids, and a tie between words."""
    compare(call, {"dcdc": 1}, 2)
    compare(call, {"zy": 2, "ab": 2}, 2)
    compare(call, {"qb": 1, "ab": 2, "zqb": 1}, 2)


@learn.property("words are bytes, in the order of the text, and pairs that overlap count each")
def learn_rows(call, draw):
    """A letter of two bytes; a longer word first; a run of one letter."""
    for words, fault in (
        ({"é": 3, "a": 1}, "words are taken apart into characters, not bytes"),
        ({"xyz": 2, "ab": 2}, "the words are not gone through in the order of the text"),
        ({"qa": 1, "bc": 2, "zqa": 1}, "the words are not gone through in the order of the text"),
        ({"bc": 3, "aaa": 2}, "pairs that overlap count each"),
    ):
        got = expect.items(call(words, 1), seen=f"for {words}")
        expect.equal(got, learned(words, 1), f"for {words} and 1 merge:", fault)


@learn.property("it ends when no pair comes twice")
def learn_end(call, draw):
    """Fewer merges than asked for."""
    for words in ({"abc": 1}, {"ab": 1, "ab ": 1}, {"a": 9}, {"naïve": 2}, {"abcd": 1, "cd": 1}):
        compare(call, words, 6)


@learn.property("drawn words give the merges of the course's tokenizer")
def learn_drawn(call, draw):
    """Words of three letters."""
    letters = torch.randint(0, 3, (90,), generator=draw).tolist()
    text = "".join("abc"[n] for n in letters)
    words = dict(Counter(text[i : i + 1 + i % 6] for i in range(0, 84, 3)))
    compare(call, words, 12)
