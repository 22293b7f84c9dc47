"""Exercise 17.5: a step from a paged cache."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import attend, normal
from helpers.exercises.exercise import Broken, Exercise

paged_step = Exercise(
    "17.5",
    "paged_step",
    title="A step from a paged cache",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Take one row. Which pages are its own, in which order, and how many of the tokens in them "
        "count?",
        "What stands behind a row's length must not matter: fill it with 1,000 and see. Neither "
        "must pages that are in no table. A row of one token returns that token's value.",
        "For row b: keys[tables[b]].flatten(0, 1)[:lengths[b]] is [T, G, D]. Query head h reads "
        "head h // (H / G) of it; there is no mask, since all of it is the past.",
    ),
)
P, G, D, H = 3, 2, 4, 4  # tokens a page, key/value heads, their width, query heads


def inputs(draw: torch.Generator, tables: list[list[int]], lengths: list[int]) -> list:
    """Return query [B, H, D], keys and values [7, P, G, D], tables and lengths."""
    keys, values = normal(draw, 7, P, G, D), normal(draw, 7, P, G, D)
    return [normal(draw, len(tables), H, D), keys, values, tables, lengths]


def by_row(query, keys, values, tables, lengths, reads=lambda h: h // (H // G), scale=None):
    """Return what is right, row by row, in float64."""
    rows = []
    for b, (table, length) in enumerate(zip(tables, lengths, strict=True)):
        k, v = (x[table].flatten(0, 1)[:length].transpose(0, 1) for x in (keys, values))
        heads = [
            attend(query[b, h : h + 1], k[reads(h)], v[reads(h)], None, scale) for h in range(H)
        ]
        rows.append(torch.cat(heads))  # [H, D]
    return torch.stack(rows)


def run(call, given: list, seen: str = "") -> torch.Tensor:
    """Return what comes out, [B, H, D] in float64."""
    return expect.tensor(call(*given), given[0].shape, seen=seen)


def compare(call, given: list, seen: str, fault: str = "it gives another value") -> None:
    """Raise Broken unless every row is grouped attention over its own text; slips by name."""
    query, keys, values, tables, lengths = given
    shorter = [length - (length > 1) for length in lengths]
    backwards = [table[::-1] for table in tables]
    full = [P * len(table) for table in tables]
    first = [list(range(len(table))) for table in tables]
    expect.equal(
        run(call, given),
        by_row(*given),
        seen,
        fault,
        known=(
            (by_row(*given, reads=lambda h: h % G), "the heads are dealt out in turn: h mod G"),
            (by_row(*given, scale=1.0), "the scores are not divided by the root of D"),
            (by_row(*given, scale=1 / D), "the scores are divided by D, not by its root"),
            (by_row(query, keys, values, tables, shorter), "the last token is left out"),
            (by_row(query, keys, values, backwards, lengths), "the pages are read backwards"),
            (by_row(query, keys, values, tables, full), RUBBISH),
            (
                by_row(query, keys, values, first, lengths),
                "the tables are not used: each row reads the first pages in memory",
            ),
        ),
    )


TABLES, LENGTHS = [[4, 1], [0], [2, 6, 3]], [5, 2, 7]
RUBBISH = "what stands behind the end of a row is read as if it were text"


@paged_step.property("it is a tensor [B, H, D]")
def paged_form(call, draw):
    """Three rows, and one."""
    run(call, inputs(draw, TABLES, LENGTHS), "for three rows")
    run(call, inputs(draw, [[5]], [1]), "for one row of one token")


@paged_step.property("one token in the cache: its value comes out")
def one_token(call, draw):
    """Nothing to average."""
    compare(call, inputs(draw, [[5], [2]], [1, 1]), "for two rows of one token each:")


@paged_step.property("each row is grouped attention over its own text")
def paged_values(call, draw):
    """Also where the last page is full."""
    for tables, lengths in ((TABLES, LENGTHS), ([[3, 0], [6, 2, 5]], [6, 9]), ([[1]], [3])):
        given = inputs(draw, tables, lengths)
        compare(call, given, f"for pages of {P} tokens, tables {tables} and lengths {lengths}:")


@paged_step.property("what stands behind a row's end, or in other pages, does not matter")
def rest_does_not_matter(call, draw):
    """Fill it with large numbers."""
    given = inputs(draw, TABLES, LENGTHS)
    seen = f"for pages of {P} tokens, tables {TABLES} and lengths {LENGTHS}"
    compare(call, given, f"{seen}:")
    mine = torch.zeros(7, P, dtype=torch.bool)
    for table, length in zip(TABLES, LENGTHS, strict=True):
        for t in range(length):
            mine[table[t // P], t % P] = True
    filled = [x.masked_fill(~mine[..., None, None], 50.0) for x in given[1:3]]
    moved = (run(call, [given[0], *filled, *given[3:]]) - by_row(*given)).abs().amax((1, 2))
    if moved.max() > 1e-4:
        raise Broken(RUBBISH, f"{seen}: row {int(moved.argmax())} moved")


@paged_step.property("it does not matter where the pages lie, and texts may share one")
def where_it_lies(call, draw):
    """Move the pages, and mend the tables; then two texts with one beginning."""
    given = inputs(draw, TABLES, LENGTHS)
    order = torch.randperm(7, generator=draw)
    place = order.argsort().tolist()
    tables = [[place[page] for page in table] for table in TABLES]
    moved = [given[0], given[1][order], given[2][order], tables, LENGTHS]
    compare(call, moved, f"for pages that were moved, tables {tables} and lengths {LENGTHS}:")
    given = inputs(draw, [[4, 1], [4, 6]], [6, 4])
    fault = "two texts that share their first page disturb each other"
    compare(call, given, "for tables [[4, 1], [4, 6]] and lengths [6, 4]:", fault)
