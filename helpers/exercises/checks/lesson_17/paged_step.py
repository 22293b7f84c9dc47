"""Exercise 17.5: a step from a paged cache."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import attend, loud, normal
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
P, G, D, H = 3, 2, 4, 6  # tokens a page, key/value heads, their width, query heads


def inputs(draw: torch.Generator, tables: list[list[int]], lengths: list[int], size=()) -> list:
    """Return query [B, H, D], keys and values [8, P, G, D], tables and lengths.

    size: P, G, D and H, where they are others.
    """
    p, g, d, h = size or (P, G, D, H)
    keys, values = normal(draw, 8, p, g, d), normal(draw, 8, p, g, d)
    return [normal(draw, len(tables), h, d), keys, values, tables, lengths]


def in_groups(query: torch.Tensor, keys: torch.Tensor):
    """Return which key/value head a query head reads."""
    share = query.shape[1] // keys.shape[2]
    return lambda h: h // share


def by_row(query, keys, values, tables, lengths, reads=None, scale=None, zeros=0):
    """Return what is right, row by row, in float64.

    reads, scale: where they are others. zeros: how many tokens of zeros stand behind each text.
    """
    reads = reads or in_groups(query, keys)
    rows = []
    for b, (table, length) in enumerate(zip(tables, lengths, strict=True)):
        k, v = (x[table].flatten(0, 1)[:length].transpose(0, 1) for x in (keys, values))
        more = zeros[b] if zeros else 0
        k, v = (torch.cat([x, x.new_zeros(len(x), more, x.shape[2])], dim=1) for x in (k, v))
        heads = [
            attend(query[b, h : h + 1], k[reads(h)], v[reads(h)], None, scale)
            for h in range(query.shape[1])
        ]
        rows.append(torch.cat(heads))  # [H, D]
    return torch.stack(rows)


def run(call, given: list, seen: str = "") -> torch.Tensor:
    """Return what comes out, [B, H, D] in float64."""
    return expect.tensor(call(*given), given[0].shape, seen=seen)


ZEROS = "keys behind the end are set to 0: a score of 0 still takes a share, so leave them out"


def slips(query, keys, values, tables, lengths) -> list[tuple[torch.Tensor, str]]:
    """Return what known faults give, each with its sentence."""
    given = query, keys, values, tables, lengths
    page, g, d = keys.shape[1:]
    needed = [-(-length // page) for length in lengths]
    cut = [table[:n] for table, n in zip(tables, needed, strict=True)]
    full = [page * len(table) for table in tables]
    shorter = [length - (length > 1) for length in lengths]
    whole = [
        length if length % page or length == page else length - page for length in lengths
    ]  # a last page that is full counts for none
    first = [list(range(len(table))) for table in tables]
    to_full = [page * n - length for n, length in zip(needed, lengths, strict=True)]
    to_longest = [max(lengths) - length for length in lengths]
    to_end = [n - length for n, length in zip(full, lengths, strict=True)]
    memory = (query, keys, values)
    ends = [
        (by_row(*memory, tables, shorter), "the last token is left out"),
        (by_row(*memory, tables, whole), "a last page that is full is not counted"),
    ]
    ends = ends if page > 1 else []  # the two are one and the same
    return [
        (by_row(*given, reads=lambda h: h % g), "the heads are dealt out in turn: h mod G"),
        (
            by_row(*given, reads=lambda h: min(h // g, g - 1)),
            "query head h reads h // G: divide by how many share, H / G",
        ),
        (by_row(*given, scale=1.0), "the scores are not divided by the root of D"),
        (by_row(*given, scale=1 / d), "the scores are divided by D, not by its root"),
        *((by_row(*given, zeros=more), ZEROS) for more in (to_full, to_longest, to_end)),
        *ends,
        (
            by_row(*memory, [sorted(table) for table in cut], lengths),
            "the pages are read in the order of the memory, not of the table",
        ),
        (
            by_row(*memory, [table[::-1] for table in cut], lengths),
            "the pages are read backwards",
        ),
        (by_row(*memory, tables, full), RUBBISH),
        (
            by_row(*memory, first, lengths),
            "the tables are not used: each row reads the first pages in memory",
        ),
    ]


def compare(call, given: list, seen: str, fault: str = "it gives another value") -> None:
    """Raise Broken unless every row is grouped attention over its own text; slips by name."""
    expect.equal(run(call, given), by_row(*given), seen, fault, known=slips(*given))


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
    mine = torch.zeros(8, P, dtype=torch.bool)
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
    order = torch.randperm(8, generator=draw)
    place = order.argsort().tolist()
    tables = [[place[page] for page in table] for table in TABLES]
    moved = [given[0], given[1][order], given[2][order], tables, LENGTHS]
    compare(call, moved, f"for pages that were moved, tables {tables} and lengths {LENGTHS}:")
    given = inputs(draw, [[4, 1], [4, 6]], [6, 4])
    fault = "two texts that share their first page disturb each other"
    compare(call, given, "for tables [[4, 1], [4, 6]] and lengths [6, 4]:", fault)
    for tables, lengths in (([[4, 1], [4]], [5, 2]), ([[4], [4, 1]], [1, 6]), ([[2], [2]], [1, 3])):
        given = inputs(draw, tables, lengths)
        fault = "a text that ends in a shared page disturbs the one that goes on"
        compare(call, given, f"for tables {tables} and lengths {lengths}:", fault)


@paged_step.property("it holds for tables with pages to spare")
def pages_to_spare(call, draw):
    """Pages are kept for what is still to come."""
    for tables, lengths in (([[4, 1, 7], [0, 5]], [4, 3]), ([[3, 0, 2], [6, 1]], [1, 6])):
        given = inputs(draw, tables, lengths)
        fault = "a page that is not filled yet is read"
        compare(call, given, f"for tables {tables} and lengths {lengths}:", fault)


@paged_step.property("it holds for any sizes, and for scores of any size")
def any_size(call, draw):
    """Pages of one token, one head, one lane; scores that are too large for exp."""
    for size in ((1, 2, 4, 4), (4, 1, 3, 2), (2, 3, 1, 3), (5, 4, 2, 8)):
        page = size[0]
        pages = torch.randperm(8, generator=draw).tolist()
        tables = [pages[:2], pages[2:3], pages[3:6]]
        lengths = [
            page * (len(table) - 1) + 1 + int(torch.randint(0, page, (), generator=draw))
            for table in tables
        ]
        given = inputs(draw, tables, lengths, size)
        compare(call, given, f"for P, G, D, H = {list(size)}, lengths {lengths}:")
    given = inputs(draw, TABLES, LENGTHS)
    given[0], given[1] = loud(draw, (3, H, D)), loud(draw, (8, P, G, D), 2)
    found = call(*given)
    seen = "for scores of several hundred"
    if isinstance(found, torch.Tensor) and 0 < found.isnan().sum() < found.numel():
        raise Broken("exp grows beyond all bounds: take the largest score off first", seen)
    found = expect.tensor(found, given[0].shape, seen=seen)
    expect.equal(found, by_row(*given), seen, tolerance=1e-3)
