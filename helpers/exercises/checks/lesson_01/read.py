"""Exercise 01.2: decode like a reader."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_01.shared import BOS, EOS, PAD
from helpers.exercises.exercise import Broken, Exercise
from helpers.languages import language as languages

read = Exercise(
    "01.2",
    "read",
    title="Decode like a reader",
    minutes=5,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Three steps: cut, check, decode. In which order must they come, if whatever stands after "
        "the first <eos> is to have no influence?",
        "read([1, 3, 2, -5], words) is words[3]: the -5 stands behind <eos>. But "
        "read([1, -5, 2], words) must raise ValueError, although words[-5] exists in Python. And "
        "a list without <eos> is read to its end.",
        "ids = ids[: ids.index(2)] if 2 in ids. Then raise ValueError for any token for which "
        "0 <= token < len(words) is false. Then join the words of the tokens above 2.",
    ),
)


def vocabulary(draw: torch.Generator, size: int = 9) -> list[str]:
    """Return the three special words and others in an order of their own."""
    others = "a photo of in the large small plus circle".split()[:size]
    order = torch.randperm(len(others), generator=draw).tolist()
    return [*languages.SPECIAL_WORDS, *(others[i] for i in order)]


def read_right(ids: list[int], words: list[str]) -> str:
    """Return what a reader reads."""
    end = ids.index(EOS) if EOS in ids else len(ids)
    return " ".join(words[token] for token in ids[:end] if token not in (PAD, BOS, EOS))


@read.property("a sentence becomes its words, without the special ones")
def words_only(call, draw):
    """Captions with <bos> and <eos>, and padding in the middle."""
    words = vocabulary(draw)
    for ids in ([1, 3, 9, 11, 6, 2], [1, 4, 0, 0, 5, 1, 8, 2], [7, 7, 2]):
        got = expect.text(call(ids, words), f"for {ids}")
        cut = [token for token in ids if token != EOS]
        said = [token for token in ids if token != EOS and token != BOS]
        right = read_right(ids, words)
        if got != right and got.strip() == right:
            raise Broken("a space stands before or behind the text", f"for {ids}: {got!r}")
        marks = {
            " ".join(words[token] for token in ids): "special words stand in the text",
            " ".join(words[token] for token in cut): "<pad> or <bos> stands in the text",
            " ".join(words[token] for token in said): "only <bos> is left out: <pad> stands there",
            "".join(words[token] for token in ids if token > EOS): "the words run into each other",
            " ".join(words[t] * (t > EOS) for t in cut).strip(): "special words leave wide gaps",
            read_right(ids[: ids.index(PAD)] if PAD in ids else ids, words): (
                "the first <pad> ends the text: only <eos> does"
            ),
        }
        expect.equal(
            got,
            right,
            f"for {ids}",
            "these are not the words of the sentence",
            known=list(marks.items()),
        )


@read.property("the vocabulary may have any size, and only its first three words are special")
def any_vocabulary(call, draw):
    """Three words, ids of two digits, words in brackets, and a long text."""
    few = list(languages.SPECIAL_WORDS)
    many = [*few, *(f"word{number}" for number in range(3, 40))]
    brackets = [*few, "<br>", "a", "[end]"]
    drawn = torch.randint(3, 40, (300,), generator=draw).tolist()
    size = "with a vocabulary of another size than the lesson's it goes wrong"
    for ids, words, fault in (
        ([1, 2], few, size),
        ([0, 1, 0], few, size),
        ([1, 39, 12, 13, 3, 2], many, size),
        ([12, 0, 21, 1, 2, 12], many, size),
        (drawn, many, "a long text is not read to its end"),
        ([1, 4, 3, 5, 2], brackets, "a word like <br> is left out: only <pad> and <bos> are"),
    ):
        given = f"for {ids[:6]} and {len(words)} words"
        if call.error(ids, words):
            raise Broken(fault, given)
        expect.equal(expect.text(call(ids, words), given), read_right(ids, words), given, fault)


@read.property("without an <eos> it reads to the end")
def no_end(call, draw):
    """No <eos>, an empty list, and nothing before <eos>."""
    words = vocabulary(draw)
    for ids in ([1, 3, 9, 5], [4], []):
        if call.error(ids, words) == "ValueError":
            raise Broken("it takes a list without <eos> for an error", f"for {ids}")
        got = expect.text(call(ids, words), f"for {ids}")
        expect.equal(
            got,
            read_right(ids, words),
            f"for {ids}",
            "a list without <eos> is not read as it stands",
            known=((read_right(ids[:-1], words), "the last word is lost where no <eos> follows"),),
        )


@read.property("what stands after the first <eos> has no influence")
def nothing_behind(call, draw):
    """Words, a second <eos>, and ids outside the vocabulary."""
    words = vocabulary(draw)
    for behind in ([7], [5, 2, 6, 2], [0, 0], [99], [-1, 2]):
        ids = [1, 3, 9, 2, *behind]
        if error := call.error(ids, words):
            raise Broken(
                "it looks at ids behind the first <eos>: cut first, then check",
                f"for {ids} it raised {error}",
            )
        with_more, alone = (expect.text(call(given, words)) for given in (ids, ids[:4]))
        if with_more != alone:
            raise Broken(
                "it reads on after the first <eos>",
                f"for {ids[:4]} it gives {alone!r}, and with {behind} behind that {with_more!r}",
            )


@read.property("an id outside the vocabulary raises ValueError")
def outside(call, draw):
    """The ids just outside, negative ids, and one in a list without <eos>."""
    words = vocabulary(draw, 6)
    for bad in (-1, -len(words), -3):
        if (error := call.error([1, 4, bad, 2], words)) != "ValueError":
            raise Broken(
                "a negative id is no token, though Python counts it from the end of a list",
                f"for [1, 4, {bad}, 2] it raised {error or 'nothing'}",
            )
    for bad in (len(words), len(words) + 1, 500):
        for ids in ([1, 4, bad, 2], [bad, 4]):
            error = call.error(ids, words)
            if error != "ValueError":
                raise Broken(
                    "an id beyond the last word must raise ValueError and nothing else",
                    f"with {len(words)} words, for {ids} it raised {error or 'nothing'}",
                )
