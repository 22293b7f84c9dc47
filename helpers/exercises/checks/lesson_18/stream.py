"""Exercise 18.5: a stream of whole characters."""

import codecs

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise
from helpers.exercises.plain import show

stream = Exercise(
    "18.5",
    "stream",
    title="A stream of whole characters",
    minutes=15,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "Keep the bytes that are not yet a whole character, and put the next token's bytes behind "
        "them. How can Python tell you how far the bytes are whole?",
        "The four bytes of an emoji, one a token, give '', '', '', the emoji and ''. Cut off after "
        "two they give '', '' and one U+FFFD. All texts joined are the bytes decoded at once.",
        "Decode the waiting bytes. On a UnicodeDecodeError as error, the bytes before error.start "
        "are whole: show these and keep the rest. At the end, what is left is decoded with "
        "errors='replace'.",
    ),
)


def pieces(data: bytes, draw: torch.Generator) -> list[list[int]]:
    """Cut bytes into tokens of one to five bytes."""
    tokens, rest = [], list(data)
    while rest:
        size = int(torch.randint(1, 6, (), generator=draw))
        tokens.append(rest[:size])
        rest = rest[size:]
    return tokens


def right_texts(tokens: list[list[int]]) -> list[str]:
    """Return what a stream gives for each token, and at the end."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    return [*(decoder.decode(bytes(token)) for token in tokens), decoder.decode(b"", final=True)]


def late(right: list[str]) -> list[str]:
    """Return the same texts, each one token later."""
    return ["", *right[:-2], "".join(right[-2:])]


def compare(call, tokens: list[list[int]]) -> None:
    """Compare the texts, and name the known slips."""
    seen = f"for {show(tokens)}"
    got = expect.items(call(tokens), seen=seen)
    got = [expect.text(text, seen) for text in got]
    right = right_texts(tokens)
    alone = [bytes(token).decode(errors="replace") for token in tokens]
    ignored = [bytes(token).decode(errors="ignore") for token in tokens]
    left = right[-1]
    waiting = len(b"".join(map(bytes, tokens))) - len("".join(right).removesuffix(left).encode())
    many = [*right[:-1], "\ufffd" * waiting]
    waits = [*("" for _ in tokens), "".join(right)]
    known = (
        (right[:-1], "the last text is missing: there is one more than tokens"),
        ([*alone, ""], "each token is decoded by itself, so characters are broken"),
        ([*ignored, ""], "parts of characters are thrown away"),
        (waits, "nothing is shown before the end"),
        (late(right), "whole characters are shown one token late"),
        ([*right[:-1], ""] if left else right, "an unfinished character at the end is left out"),
        (many, "an unfinished character gives one U+FFFD, not several"),
        ([bytes(token).decode("latin-1") for token in tokens] + [""], "the bytes are UTF-8"),
    )
    expect.equal(got, right, f"{seen},", "the texts are not those of a stream", known)


@stream.property("one text for each token, and one for the end")
def stream_form(call, draw):
    """Plain letters; no token at all."""
    compare(call, [[97], [98, 99], [32]])
    compare(call, [])


@stream.property("half a character is never shown, a whole one at once")
def stream_whole(call, draw):
    """C57: characters of two, three and four bytes over several tokens, and some in one token."""
    compare(call, [[97, 0xC3], [0xA9, 98], [99]])  # each slip gives other texts
    compare(call, [[0xF0], [0x9F], [0x98], [0x80]])
    compare(call, [[0xE6, 0x97], [0xA5, 0xE6], [0x9C, 0xAC, 33]])
    compare(call, [[0xF0, 0x9F, 0x98, 0x80], [97]])
    compare(call, pieces("naïve 日本語 👍🏽 ok é".encode(), draw))


@stream.property("whatever stands in the text comes out: also marks, and tokens without bytes")
def stream_odd(call, draw):
    """U+FFFD and U+FEFF in the text itself, and an empty token."""
    for tokens, fault in (
        (
            [[0xEF, 0xBF, 0xBD], [97]],
            "a U+FFFD that stands in the text is taken for half a character",
        ),
        ([[0xEF, 0xBB, 0xBF], [97]], "a U+FEFF at the beginning of the text is left out"),
        ([[], [97], [], [0xC3], [], [0xA9]], "a token without bytes gets no text of its own"),
    ):
        got = expect.items(call(tokens), seen=f"for {tokens}")
        expect.equal(got, right_texts(tokens), f"for {tokens}:", fault)


@stream.property("a character that stays unfinished is one U+FFFD at the end")
def stream_cut_off(call, draw):
    """C57: cut off after one, two and three bytes."""
    compare(call, [[0xC3], [0xA9], [0xF0], [0x9F]])  # each slip gives other texts
    for tokens in ([[0xF0], [0x9F]], [[97], [0xC3]], [[0xF0, 0x9F, 0x98]], [[97, 0xE6], [0x97]]):
        compare(call, tokens)
