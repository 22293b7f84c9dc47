"""Exercise 18.4: run the merges."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.tokenizers.bpe import apply_merges
from helpers.tokenizers.bpe import learn as learn_merges

encode = Exercise(
    "18.4",
    "encode",
    title="Run the merges",
    minutes=12,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "Which merge goes first: the one whose pair stands furthest to the left, or the one that "
        "was learned first?",
        "With the merges [[98, 99], [97, 98]] the bytes of abc become [97, 256]: the stronger "
        "merge takes b away from a. And a merge may use the product of an earlier one.",
        "For number, pair in enumerate(merges): replace each occurrence of the pair in the row, "
        "from the left, by 256 + number. Since a merge uses only earlier products, one round "
        "through the list is enough.",
    ),
)


def rules_of(merges: list[list[int]], first: int = 256) -> dict:
    """Return {pair: (rank, product)}."""
    return {tuple(pair): (rank, first + rank) for rank, pair in enumerate(merges)}


def leftmost(row: list[int], merges: list[list[int]]) -> list[int]:
    """Return the row merged at the leftmost place where any rule fits, again and again."""
    rules, row = rules_of(merges), list(row)
    while True:
        for place in range(len(row) - 1):
            if (row[place], row[place + 1]) in rules:
                row[place : place + 2] = [rules[row[place], row[place + 1]][1]]
                break
        else:
            return row


def longest(row: list[int], merges: list[list[int]]) -> list[int]:
    """Return the row cut into the longest products that fit, from the left."""
    products = {n: [n] for n in range(256)}
    for number, (left, right) in enumerate(merges):
        products[256 + number] = products[left] + products[right]
    ids = []
    while row:
        fitting = [n for n, content in products.items() if row[: len(content)] == content]
        best = max(fitting, key=lambda n: len(products[n]))
        ids.append(best)
        row = row[len(products[best]) :]
    return ids


def weakest(row: list[int], merges: list[list[int]]) -> list[int]:
    """Return the row merged by the rule that was learned last, again and again."""
    strength = {pair: (-rank, new) for pair, (rank, new) in rules_of(merges).items()}
    return apply_merges(row, strength)


def only_bytes(row: list[int], merges: list[list[int]]) -> list[int]:
    """Return the row with merges of two bytes only."""
    few = {pair: rule for pair, rule in rules_of(merges).items() if max(pair) < 256}
    return apply_merges(row, few)


def one_each(row: list[int], merges: list[list[int]]) -> list[int]:
    """Return the row with only the first occurrence of each merge merged."""
    row = list(row)
    for number, pair in enumerate(merges):
        place = next((i for i in range(len(row) - 1) if row[i : i + 2] == pair), None)
        if place is not None:
            row[place : place + 2] = [256 + number]
    return row


def compare(call, text: str, merges: list[list[int]], fault: str = "") -> None:
    """Compare the ids; name the known slips, or say the fault if one is given."""
    row = list(text.encode())
    seen = f"for the bytes of {text!r} and the merges {show(merges)}"
    got = expect.wholes(call(row, merges), seen=seen)
    right = apply_merges(row, rules_of(merges))
    known = (
        (row, "no merge is applied"),
        ([token + (token > 255) for token in right], "the first product has id 256"),
        (only_bytes(row, merges), "products are never merged further"),
        (leftmost(row, merges), "the leftmost pair is merged first, not the strongest"),
        (longest(row, merges), "the longest token is taken, not the strongest merge"),
        (weakest(row, merges), "the merge learned last goes first"),
        (one_each(row, merges), "only one occurrence of a merge is merged"),
    )
    other = "the ids are not those that the merges give"
    expect.equal(got, right, f"{seen},", fault or other, () if fault else known)


# each slip gives other ids here
TELLING = "cbabbabab", [[98, 97], [99, 97], [256, 98], [98, 98], [256, 256]]
CLASSIC = [[97, 97], [256, 97], [257, 98]]


@encode.property("the merges are applied, and products have the ids 256, 257, ...")
def encode_values(call, draw):
    """C53, and no merge at all."""
    compare(call, *TELLING)
    for text in ("aaabdaaabac", "aaab", "ab", "d"):
        compare(call, text, CLASSIC)
    compare(call, "naïve", [])
    compare(call, "ab", [])
    compare(call, "ab", [[97, 98]], "a piece that was seen before keeps the ids of other merges")
    digits = "ids are joined as digits: 1, 11 is not 11, 1"
    compare(call, "\x01\x0b\x0b\x01", [[1, 11]], digits)
    compare(call, "", CLASSIC)


@encode.property("the merge that was learned first goes first")
def encode_order(call, draw):
    """Rows in which another order gives other ids."""
    for text, merges in (
        ("abc", [[98, 99], [97, 98]]),
        ("abcab", [[98, 99], [97, 98]]),
        ("abcd", [[99, 100], [97, 98], [257, 99]]),
        ("abcabd", [[98, 99], [97, 98], [257, 100], [97, 256]]),
    ):
        compare(call, text, merges, "another merge than the first learned one goes first")


@encode.property("each occurrence is merged, from the left")
def encode_all(call, draw):
    """Runs and repeats."""
    fault = "an occurrence is left out, or merged from the right"
    for text in ("aaa", "aaaaa", "aaaaaaa", "abaab"):
        compare(call, text, CLASSIC, fault)
    compare(call, "ababab", [[97, 98], [256, 256]], fault)


@encode.property("learned merges give what the course's tokenizer gives")
def encode_learned(call, draw):
    """Merges learned from drawn words, on other drawn words."""
    letters = torch.randint(0, 3, (400,), generator=draw).tolist()
    text = "".join("abc"[n] for n in letters)
    merges = [list(pair) for pair in learn_merges(text[:300], 12)[1]]
    fault = "a text is encoded otherwise than by the course's tokenizer"
    for start in (300, 340, 370):
        compare(call, text[start : start + 30], merges, fault)
    compare(call, "abc" * 400, merges, fault)
    doubled = [[97, 97], *([256 + k, 256 + k] for k in range(9))]
    if call.error(list(b"a" * 1200), doubled) == "RecursionError":
        raise Broken("it calls itself for each merge, too deep for 1,200 bytes", "for a row of a's")
    compare(call, "a" * 1200, doubled, fault)
