"""Exercise 12.1: shapes."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_12.shared import whole_between
from helpers.exercises.exercise import Broken, Exercise

cross_shapes = Exercise(
    "12.1",
    "cross_shapes",
    title="Shapes",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "The cell of the first section prints two of the four, and a comment in it has the shape "
        "of the key. The query is made like the key, from the other sequence.",
        "With Tq = Tk you must get the shapes of self-attention. Change Tk alone: the output must "
        "stay, since it follows the queries. Only one of the four shapes depends on both lengths.",
        "Each head has D = C // H columns: query [B, H, Tq, D], key [B, H, Tk, D]. A weight for "
        "each pair: [B, H, Tq, Tk]. With the heads side by side again, the output is [B, Tq, C].",
    ),
)


PARTS = ("query", "key", "weights", "output")


def right_shapes(B: int, Tq: int, Tk: int, C: int, H: int) -> dict:
    """Return the four shapes."""
    return {
        "query": [B, H, Tq, C // H],
        "key": [B, H, Tk, C // H],
        "weights": [B, H, Tq, Tk],
        "output": [B, Tq, C],
    }


def shapes_of(call, sizes: tuple) -> dict:
    """Return what the answer gives, as a dict of lists of whole numbers."""
    seen = "for B, Tq, Tk, C, H = " + ", ".join(map(str, sizes))
    table = expect.table(call(*sizes), PARTS, seen)
    return {name: expect.wholes(table[name], seen=f"{seen}, {name}") for name in PARTS}


@cross_shapes.property("it has four shapes, each a list of whole numbers")
def shapes_form(call, draw):
    """Heads split in three of them, merged in the output."""
    found = shapes_of(call, (2, 3, 7, 20, 5))
    for name in PARTS:
        axes = 3 if name == "output" else 4
        if len(found[name]) != axes:
            raise Broken(
                "the heads are merged again in the output: it has three axes"
                if name == "output"
                else "query, key and weights have an axis for the heads: four axes",
                f"{name} is {found[name]}",
            )


@cross_shapes.property("with a source as long as the text they are those of self-attention")
def shapes_of_self_attention(call, draw):
    """Equal lengths forgive every mix-up of the two."""
    for T in (1, whole_between(draw, 2, 9)):
        sizes = (3, T, T, 24, 4)
        found, right = shapes_of(call, sizes), right_shapes(*sizes)
        for name in PARTS:
            expect.equal(
                found[name],
                right[name],
                f"{name} for B, Tq, Tk, C, H = {sizes}:",
                fault="with equal lengths it does not give the shapes of self-attention",
                known=(
                    ([3, 4, T, 24], "the heads share the width: each has C // H columns"),
                    ([3, T, 4, 6], "the axis of the heads comes before that of the rows"),
                ),
            )


@cross_shapes.property("queries and output follow the text, keys the source, weights both")
def shapes_follow(call, draw):
    """Unequal lengths, both ways."""
    square = "the weights are a square only when both lengths are the same"
    for Tq, Tk in ((3, 8), (9, 2)):
        sizes = (whole_between(draw, 4, 6), Tq, Tk, 24, 4)
        found, right = shapes_of(call, sizes), right_shapes(*sizes)
        other = right_shapes(sizes[0], Tk, Tq, 24, 4)
        for name, sentence in (
            ("query", "the queries come from the text, not from the source"),
            ("key", "the keys come from the source, not from the text"),
            ("weights", "the weights have a row for each query and a column for each key"),
            ("output", "the output has a row for each query, however long the source is"),
        ):
            expect.equal(
                found[name],
                right[name],
                f"{name} for B, Tq, Tk, C, H = {sizes}:",
                fault="a shape is not the one asked for",
                known=(
                    (other[name], sentence),
                    ([*right["weights"][:2], Tq, Tq], square),
                    ([*right["weights"][:2], Tk, Tk], square),
                ),
            )


@cross_shapes.property("one head is an axis as well")
def shapes_one_head(call, draw):
    """H = 1."""
    sizes = (2, 5, 9, 32, 1)
    found, right = shapes_of(call, sizes), right_shapes(*sizes)
    if found != right:
        raise Broken(
            "with a single head the axis for the heads is left out",
            f"for B, Tq, Tk, C, H = {sizes} it gives {found}",
        )
