"""Exercise 11.4: much longer texts, and a smaller batch."""

import itertools

import torch

from helpers.counting.operations import Work, generation_work
from helpers.decoder.config import DecoderConfig
from helpers.exercises import expect
from helpers.exercises.checks.lesson_11.shared import between, whole_between
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

predicted_speed_up = Exercise(
    "11.4",
    "predicted_speed_up",
    title="Much longer texts, and a smaller batch",
    minutes=25,
    level="hard",
    points=4,
    imports=(),
    hints=(
        "A run has as many steps as tokens are made. In step k the text so far has k tokens. How "
        "many rows pass through the model in it without a cache, and how many with one? How many "
        "keys does each row look at?",
        "For tokens = 1 both ways do the same: exactly 1. With price 0 it is 1 for every length. "
        "With overhead 0 and no matrix work to speak of it is near (2T + 1) / 3, and no number of "
        "heads changes it.",
        "For k from 1 to tokens, q = 1 with a cache and k without: add q * blocks * (4 * C**2 + "
        "2 * C * hidden), then q * k * blocks * 2 * C, then C * vocab. seconds = tokens * overhead "
        "+ rows * work * price. Divide the seconds without a cache by those with one.",
    ),
)


def some_model(draw: torch.Generator) -> dict:
    """Return a small model whose hidden width is not four times its width."""
    heads = whole_between(draw, 2, 4)
    width = heads * whole_between(draw, 2, 5)
    return {
        "width": width,
        "blocks": whole_between(draw, 2, 4),
        "heads": heads,
        "hidden": 2 * width + whole_between(draw, 1, 9),
        "vocab": whole_between(draw, 20, 60),
    }


def works(rows: int, tokens: int, model: dict) -> tuple[Work, Work]:
    """Return the exact work without and with a cache."""
    config = DecoderConfig(
        vocab_size=model["vocab"],
        context=tokens + 1,
        width=model["width"],
        heads=model["heads"],
        blocks=model["blocks"],
        hidden=model["hidden"],
    )
    without, cached = (
        generation_work(config, tokens, batch=rows, cached=kind) for kind in (False, True)
    )
    return without, cached


def known_counts(rows: int, tokens: int, model: dict) -> list[tuple[float, float, str]]:
    """Return (work without, work with a cache, what is wrong) for counts that people make."""
    without, cached = works(rows, tokens, model)
    heads = model["heads"]
    C, B, T = model["width"], rows, tokens
    block = 4 * C**2 + 2 * C * model["hidden"]
    hidden = works(rows, tokens, model | {"hidden": 4 * C})
    one_block = works(rows, tokens, model | {"blocks": 1})
    triangles = T * (T + 1) * (T + 2) // 6 * B * model["blocks"] * 2 * C
    all_logits = B * T * (T + 1) // 2 * C * model["vocab"]

    def total(works, matrix=1.0, attention=1.0, head=1.0):
        return [w.matrix * matrix + w.attention * attention + w.head * head for w in works]

    both = (without, cached)
    return [
        (*total(both, attention=heads), "the heads share the width: more heads are no more work"),
        (
            without.matrix + triangles + without.head,
            cached.total,
            "every pair of a pass is computed, also those that the mask hides",
        ),
        (*total(both, head=0), "the step from state to logits is left out"),
        (
            without.matrix + without.attention + all_logits,
            cached.total,
            "logits are made for the last position only, not for every row",
        ),
        (*total(hidden), "hidden is given; it need not be four times the width"),
        (*total(one_block), "every block does this work"),
        (*total(both, attention=0), "attention is left out"),
        (*total(both, attention=0.5), "a pair costs two products: its score and its average"),
        (
            *total(both, matrix=(4 * C**2 + C * model["hidden"]) / block),
            "the feed-forward goes in and out again: two products",
        ),
        (*total(works(rows, tokens + 1, model)), "the last new token is never read"),
    ]


@predicted_speed_up.property("it is one number")
def speed_up_form(call, draw):
    """Short and longer, one row and many."""
    for rows, tokens in ((1, 1), (4, 6)):
        value = expect.number(
            call(rows, tokens, some_model(draw), 0.001, 1e-9), f"for {rows} x {tokens}"
        )
        if value <= 0:
            raise Broken("it is not above 0, and a quotient of times is", f"{rows} x {tokens}")


@predicted_speed_up.property("one token, or work that costs nothing, leaves the cache no gain")
def no_gain(call, draw):
    """Exactly 1."""
    model = some_model(draw)
    for rows in (1, 7):
        expect.equal(
            expect.number(call(rows, 1, model, 0.001, 1e-8)),
            1.0,
            f"for {rows} x 1",
            fault="for one token both ways do the same, so it must be 1",
        )
        expect.equal(
            expect.number(call(rows, 6, model, 0.001, 0.0)),
            1.0,
            f"for {rows} x 6 at a price of 0",
            fault="where work costs nothing both ways have the same overhead, so it must be 1",
        )


@predicted_speed_up.property("without overhead it is the ratio of the exact counts")
def ratio_of_counts(call, draw):
    """Compare with helpers.counting.operations, and name the known slips."""
    for rows, tokens in ((1, 2), (3, 5), (2, 12)):
        model = some_model(draw)
        without, cached = works(rows, tokens, model)
        expect.equal(
            expect.number(call(rows, tokens, model, 0.0, 1e-9)),
            without.total / cached.total,
            f"for {rows} x {tokens} and {model}:",
            fault="the multiply-adds are counted wrongly",
            known=[
                (cached.total / without.total, "it is upside down: without a cache comes first"),
                *((a / b, sentence) for a, b, sentence in known_counts(rows, tokens, model)),
            ],
        )


@predicted_speed_up.property("overhead holds it down: it rises with the rows, up to that ratio")
def rises_with_rows(call, draw):
    """More rows, the same overhead."""
    model, tokens = some_model(draw), 9
    bound = expect.number(call(1, tokens, model, 0.0, 1e-9))
    overhead = works(1, tokens, model)[0].total * 1e-9
    found = [
        expect.number(call(rows, tokens, model, overhead, 1e-9)) for rows in (1, 4, 16, 64, 10**7)
    ]
    seen = f"for 1, 4, 16, 64 and 10,000,000 rows it gives {show(found)}"
    if any(b <= a for a, b in itertools.pairwise(found)):
        raise Broken("more rows at the same overhead must gain more", seen)
    if not expect.close(found[-1], bound, 1e-3):
        raise Broken(
            "with very many rows it must come to what it is without overhead",
            f"{seen}, and {bound:.4g} without overhead",
        )


@predicted_speed_up.property("each step pays the overhead, each multiply-add its price")
def with_both_prices(call, draw):
    """Compare, and name slips about the overhead."""
    for rows, tokens in ((2, 7), (5, 20)):
        model = some_model(draw)
        without, cached = (work.total for work in works(rows, tokens, model))
        price = between(draw, 1, 2) * 1e-10
        overhead = between(draw, 0.5, 1.5) * cached * price / tokens

        def ratio(first, second, without=without, cached=cached, price=price):
            return (first + without * price) / (second + cached * price)

        steps = tokens * overhead
        passes = tokens * (tokens + 1) / 2 * overhead
        expect.equal(
            expect.number(call(rows, tokens, model, overhead, price)),
            ratio(steps, steps),
            f"for {rows} x {tokens}, overhead {overhead:.4g}, price {price:.4g}:",
            fault="the overhead and the work are not put together as the theory says",
            known=[
                (ratio(0, 0), "this is the ratio of the counts, as if overhead cost nothing"),
                (ratio(overhead, overhead), "the overhead is paid once a run, not at each step"),
                (ratio(steps, overhead), "a run with a cache has as many steps as one without"),
                (ratio(passes, steps), "one step pays its overhead once, however many rows pass"),
                (
                    ratio(rows * steps, rows * steps),
                    "all rows of the batch go through one step together",
                ),
                (1 / ratio(steps, steps), "it is upside down: without a cache comes first"),
                *(
                    ((steps + a * price) / (steps + b * price), sentence)
                    for a, b, sentence in known_counts(rows, tokens, model)
                ),
            ],
        )
