"""Exercise 10.1: rows with and without."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

rows_computed = Exercise(
    "10.1",
    "rows_computed",
    title="Rows with and without",
    minutes=2,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "How many passes are there for `new` tokens, and how many tokens does the last pass read? "
        "Is the last new token ever read?",
        "For new = 1 there is one pass, over the prompt, with a cache or without. Each further "
        "token costs one row with a cache, and the whole text so far without.",
        "Pass k, from 0 to new - 1, stands before a text of prompt + k tokens. Without a cache add "
        "them all up. With one it is the prompt once, then new - 1 single rows.",
    ),
)


LAST = "the last new token is counted, and no pass ever reads it"


@rows_computed.property("it is a whole number, and for one new token the prompt's length")
def rows_form(call, draw):
    """One pass."""
    for prompt in (1, 5):
        for cached in (False, True):
            seen = f"for prompt = {prompt}, new = 1, cached = {cached}"
            expect.equal(
                expect.whole(call(prompt, 1, cached), seen),
                prompt,
                f"{seen}:",
                "one new token takes one pass, over the prompt alone, cache or not",
                known=((prompt + 1, LAST),),
            )


@rows_computed.property("without a cache every pass reads the whole text so far")
def rows_without(call, draw):
    """28 for (1, 7), 22 for (4, 4), and drawn ones."""
    for prompt, new in ((4, 4), (1, 7), *lengths(draw)):
        expect.equal(
            expect.whole(call(prompt, new, False)),
            sum(prompt + k for k in range(new)),
            f"for prompt = {prompt}, new = {new}, no cache:",
            "without a cache, pass k reads the prompt and the k tokens written so far",
            known=(
                (prompt + new - 1, "without a cache, only the new rows are counted"),
                (new * prompt, "the text that a pass reads grows, and this one does not"),
                (new * (new + 1) // 2, "the prompt is read again in each pass without a cache"),
                (sum(prompt + k + 1 for k in range(new)), LAST),
            ),
        )


@rows_computed.property("long texts are counted to the last row")
def rows_long(call, draw):
    """More tokens than calls can be nested, and sums that a float does not hold."""
    for prompt, new in ((1, 5000), (10**15 + 1, 101), (3 * 10**15, 102)):
        seen = f"for prompt = {prompt}, new = {new}, no cache"
        if raised := call.error(prompt, new, False):
            raise Broken("a text of 5,000 tokens is too long for it", f"{seen} it raised {raised}")
        expect.equal(
            expect.whole(call(prompt, new, False)),
            new * prompt + new * (new - 1) // 2,
            f"{seen}:",
            "a large count is off by a little: a float does not hold it",
        )


@rows_computed.property("with a cache every row is computed once")
def rows_with(call, draw):
    """7 for (1, 7) and for (4, 4), and drawn ones."""
    for prompt, new in ((4, 4), (1, 7), *lengths(draw)):
        expect.equal(
            expect.whole(call(prompt, new, True)),
            prompt + new - 1,
            f"for prompt = {prompt}, new = {new}, with a cache:",
            "with a cache, the first pass reads the prompt and each further one a single row",
            known=(
                (new, "prefill is forgotten: the prompt goes through too, once"),
                (prompt + new, LAST),
                (sum(prompt + k for k in range(new)), "the cache makes no difference"),
            ),
        )


def lengths(draw: torch.Generator) -> list[list[int]]:
    """Return a few pairs of prompt and new."""
    return torch.randint(2, 40, (4, 2), generator=draw).tolist()
