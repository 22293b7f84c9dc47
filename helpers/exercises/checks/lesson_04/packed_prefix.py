"""Exercise 04.7: many questions in one row."""

from collections.abc import Sequence

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_04.shared import first_wrong, name_mask
from helpers.exercises.exercise import Broken, Exercise

packed_prefix = Exercise(
    "04.7",
    "packed_prefix",
    title="Many questions in one row",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "A pair passes two tests. Is it in one text? And within that text, what would "
        "masks.prefix allow? For the second you need each token's place in its own text.",
        "With all lengths 0 it is causal and document together. With one text it is the prefix "
        "mask. Swap two texts in the row, and their square blocks swap.",
        "place = each token's position in its own text (exercise 04.4). question = place < "
        "torch.tensor(prefix_lengths)[document_ids]. A pair is allowed if it is in the same text, "
        "and either causal or both its ends lie in the question.",
    ),
)


def prefix_right(lengths: Sequence[int], prefix: Sequence[int]) -> torch.Tensor:
    """Return the right mask: blocks along the diagonal."""
    blocks = [
        masks.prefix(torch.tensor([n]), length)[0, 0]
        for length, n in zip(lengths, prefix, strict=True)
    ]
    return torch.block_diag(*blocks).bool()


def prefix_mask(call, lengths: Sequence[int], prefix: Sequence[int]) -> torch.Tensor:
    """Return the answer's mask, after a look at its form."""
    ids = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))
    T = len(ids)
    seen = f"for texts of {list(lengths)} tokens with questions of {list(prefix)}"
    return expect.tensor(call(ids, list(prefix)), (T, T), "bool", seen)


def name_entry(got: torch.Tensor, lengths: Sequence[int], prefix: Sequence[int]) -> None:
    """Raise Broken with a sentence on the first wrong entry, if there is one."""
    right = prefix_right(lengths, prefix)
    wrong = first_wrong(got, right)
    if wrong is None:
        return
    t, s = wrong
    text = [number for number, length in enumerate(lengths) for _ in range(length)]
    place = [p for length in lengths for p in range(length)]
    asks, answers = (place[i] < prefix[text[i]] for i in (t, s))
    if right[t, s]:
        fault = "a token does not see what came before it in its text"
        if s > t:
            fault = "within a question, a token does not see what comes later in it"
    elif text[t] != text[s]:
        fault = "a token sees another text"
    elif asks and not answers:
        fault = "a question sees its answer, which comes later"
    else:
        fault = "an answer sees its own future"
    seen = f"for texts of {list(lengths)} tokens with questions of {list(prefix)}"
    raise Broken(fault, f"{seen}, query {t} and key {s}")


@packed_prefix.property("with one text it is the prefix mask")
def prefix_one(call, draw):
    """Questions of 0 to T tokens."""
    for T in (5, 1, 40):
        for n in range(0, T + 1, 1 if T < 40 else 20):
            got = prefix_mask(call, [T], [n])
            if n < T and T > 1:
                longer = prefix_right([T], [n + 1])
                if torch.equal(got, longer) and not torch.equal(longer, prefix_right([T], [n])):
                    raise Broken(
                        "the question is one token longer than it should be",
                        f"for one text of {T} tokens with a question of {n}",
                    )
            name_entry(got, [T], [n])


@packed_prefix.property("with questions of length 0 it is causal and document together")
def prefix_none(call, draw):
    """Several texts."""
    for lengths in ((2, 3), (1, 4, 2), (1,) * 5, (3,) * 12):
        name_entry(prefix_mask(call, lengths, [0] * len(lengths)), lengths, [0] * len(lengths))


@packed_prefix.property("the block of each text is what that text would get alone")
def prefix_blocks(call, draw):
    """Each block against the answer for that text in a row of its own."""
    lengths = (3, 4, 2)
    prefix = (1, 2, 2)
    got = prefix_mask(call, lengths, prefix)
    start = 0
    for length, n in zip(lengths, prefix, strict=True):
        block = got[start : start + length, start : start + length]
        alone = prefix_mask(call, [length], [n])
        if not torch.equal(block, alone):
            raise Broken(
                "a text gets another block than it would get alone",
                f"for texts of {list(lengths)} tokens with questions of {list(prefix)}, the one "
                f"that begins at {start}",
            )
        start += length


@packed_prefix.property("a pair must be in one text, and either causal or both in the question")
def prefix_pairs(call, draw):
    """Fixed texts, where the slips differ, then drawn ones."""
    drawn = torch.randint(2, 6, (3,), generator=draw).tolist()
    some = [int(torch.randint(0, length + 1, (), generator=draw)) for length in drawn]
    for lengths, prefix in (((4, 7), (2, 5)), ((4, 3, 2), (2, 0, 2)), (drawn, some)):
        got = prefix_mask(call, lengths, prefix)
        T = sum(lengths)
        text = torch.arange(len(lengths)).repeat_interleave(torch.tensor(lengths))
        same = text[:, None] == text
        causal = masks.causal(T)
        first = torch.tensor([prefix[0]] * T)
        right = prefix_right(lengths, prefix)
        place = torch.cat([torch.arange(length) for length in lengths])
        question = place < torch.tensor(prefix)[text]
        ends = question[:, None] & question
        from_row = torch.arange(T) < torch.tensor(prefix)[text]
        of_first = place < first
        from_row = from_row[:, None] & from_row
        of_first = of_first[:, None] & of_first
        equally = torch.arange(T) - text * (T // len(lengths)) < torch.tensor(prefix)[text]
        known = (
            (same & (causal | from_row), "places are counted from the row's beginning"),
            (same & (causal | of_first), "every question gets the length of the first"),
            ((same & causal) | ends, "questions of different texts see each other"),
            (causal | (same & ends), "the past of other texts is seen as well"),
            (same & (causal | equally), "the texts are taken to be equally long"),
            (same & causal | question, "a question is seen by every text in the row"),
            (same & (causal | question[:, None]), "a question sees its whole text, answer and all"),
            (same, "a whole text sees itself in both directions"),
        )
        if not torch.equal(got, right):
            seen = f"for texts of {list(lengths)} tokens with questions of {list(prefix)}"
            name_mask(got, known, seen)
        name_entry(got, lengths, prefix)
