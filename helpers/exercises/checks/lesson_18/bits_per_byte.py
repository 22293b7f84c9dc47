"""Exercise 18.3: bits per byte."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise
from helpers.exercises.plain import show

bits_per_byte = Exercise(
    "18.3",
    "bits_per_byte",
    title="Bits per byte",
    minutes=4,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Three things change on the way from a loss in nats a token: the unit, the tokens, and "
        "what you divide by. What is the loss of the whole text in bits?",
        "If each token is cut in two and the two halves together have its loss, nothing may "
        "change. 'é' is one character and two bytes.",
        "sum(losses) / math.log(2) / len(text.encode())",
    ),
)


def compare(call, losses: list[float], text: str) -> None:
    """Compare the number, and name the known slips."""
    total, size = sum(losses), len(text.encode())
    seen = f"for the losses {show(losses)} and the text {text!r},"
    expect.equal(
        expect.number(call(losses, text), seen),
        total / math.log(2) / size,
        seen,
        "it is not the loss of the text in bits over its bytes",
        known=(
            (total / math.log(2) / len(text), "it divides by characters, not by bytes"),
            (total / size, "it is in nats: a bit is ln 2 nats"),
            (total * math.log(2) / size, "nats become bits by dividing by ln 2, not the reverse"),
            (total / math.log(2) / len(losses), "it divides by tokens, not by bytes"),
            (total / len(losses) / math.log(2) / size, "the mean loss is taken, not the sum"),
            (math.exp(total / len(losses)), "it is the perplexity of a token"),
            (total / math.log(2) / len(text.encode("utf-16")), "the bytes are not those of UTF-8"),
        ),
    )


@bits_per_byte.property("it is the loss in bits over the number of bytes")
def bits_values(call, draw):
    """A fair coin for each byte; drawn losses."""
    compare(call, [3 * math.log(2)], "abc")
    compare(call, [1.0, 0.5, 2.5, 0.0], "a photo of")
    compare(call, (3 * torch.rand(5, generator=draw)).tolist(), "small circles")


@bits_per_byte.property("bytes are counted, not characters")
def bits_bytes(call, draw):
    """Two, three and four bytes a character."""
    for text in ("naïve", "日本", "ok 👍"):
        compare(call, (3 * torch.rand(4, generator=draw)).tolist(), text)


@bits_per_byte.property("white space counts, and letters that are composed in two ways")
def bits_as_it_is(call, draw):
    """Blanks and newlines at the ends; é in one code point and in two."""
    for text in (" a\n", "\n", "e\u0301", "\u00e9"):
        got = expect.number(call([2 * math.log(2)], text), f"for {text!r}")
        fault = "the text is changed before its bytes are counted"
        expect.equal(got, 2 / len(text.encode()), f"for {text!r}:", fault)


@bits_per_byte.property("cutting the tokens in halves changes nothing")
def bits_halves(call, draw):
    """Another tokenizer with the same law of the text."""
    losses = (2 * torch.rand(4, generator=draw)).tolist()
    halves = [loss / 2 for loss in losses for _ in range(2)]
    whole = expect.number(call(losses, "a large plus"))
    cut = expect.number(call(halves, "a large plus"))
    expect.equal(cut, whole, "with each token cut in two", "the number depends on the tokenizer")
