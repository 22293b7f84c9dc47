"""Exercise 13.1: squares and triangles."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

count_pairs = Exercise(
    "13.1",
    "count_pairs",
    title="Squares and triangles",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Each family is a sum of three kinds of pieces: a square, a triangle, a rectangle. Which "
        "pieces does the picture at the beginning of the lesson show?",
        "A triangle with its diagonal over n tokens holds 1 + 2 + ... + n pairs. For a source of "
        "4 and a text of 2 the four numbers are 36, 21, 27 and 27.",
        'With n = source + text: "encoder" n * n, "decoder" n * (n + 1) // 2, and the other two '
        "source * source + text * source + text * (text + 1) // 2.",
    ),
)


SIZES = ((4, 2), (1, 1), (3, 5), (7, 1))


def triangle(n: int) -> int:
    """Return the pairs of a triangle with its diagonal."""
    return n * (n + 1) // 2


def numbers_of(family: str, call, draw):
    """Yield (source, text, what the answer gives, for which input) for one family."""
    drawn = torch.randint(2, 30, (2,), generator=draw).tolist()
    for source, text in (*SIZES, drawn):
        given = f"for a source of {source} and a text of {text}:"
        yield source, text, expect.whole(call(family, source, text), given), given


@count_pairs.property("an encoder sees everything: a square")
def square(call, draw):
    """n * n."""
    for source, text, got, given in numbers_of("encoder", call, draw):
        n = source + text
        known = (
            (source * source, "the encoder reads the text too, not the source alone"),
            (triangle(n), "the encoder got a triangle, and it sees the future as well"),
        )
        expect.equal(got, n * n, given, "the encoder's number is another one", known)


@count_pairs.property("a decoder sees itself and the past: a triangle with its diagonal")
def past(call, draw):
    """n * (n + 1) / 2."""
    for source, text, got, given in numbers_of("decoder", call, draw):
        n = source + text
        known = (
            (triangle(n - 1), "the diagonal is missing: a token of a decoder sees itself"),
            (triangle(text), "the decoder has one stack: the source is the beginning of its text"),
            (n * n, "the decoder got the whole square, with the future in it"),
        )
        expect.equal(got, triangle(n), given, "the decoder's number is another one", known)


@count_pairs.property("a prefix sees itself both ways, and the text sees all of it")
def prefix_pairs(call, draw):
    """Square, rectangle, triangle in one table."""
    for source, text, got, given in numbers_of("prefix", call, draw):
        right = source * source + text * source + triangle(text)
        known = (
            (right - text * source, "prefix: the text sees the source too, and it is not counted"),
            (triangle(source + text), "prefix: the source is read one way only"),
            (right - text, "prefix: a token of the text does not see itself"),
        )
        expect.equal(got, right, given, "the number for prefix is another one", known)


@count_pairs.property("an encoder-decoder fills three tables: source, text, and text by source")
def three_tables(call, draw):
    """The sum of the three."""
    for source, text, got, given in numbers_of("encoder-decoder", call, draw):
        right = source * source + text * source + triangle(text)
        known = (
            (right - text * source, "the table of cross-attention is missing"),
            (right - source * source, "the table of the encoder is missing"),
            (right - triangle(text), "the decoder's own table is missing"),
            ((source + text) ** 2, "encoder-decoder: the source does not see the text"),
        )
        expect.equal(got, right, given, "the number for encoder-decoder is another one", known)
