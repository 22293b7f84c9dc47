"""Exercise 04.3: the mask of a padded batch."""

from collections.abc import Sequence

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_04.shared import first_wrong, name_mask
from helpers.exercises.exercise import Broken, Exercise

batch_mask = Exercise(
    "04.3",
    "batch_mask",
    title="The mask of a padded batch",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "There are two questions for each pair: is the key a real token, and is it not later than "
        "the query? Which of the two depends on the row of the batch?",
        "In a batch without padding every row is the triangle. One real token at the left of four "
        "gives a first column, whatever the query. With one query and five keys, the query is the "
        "last position and may see every real key.",
        "places = torch.arange(T); query_at = places[T - queries :]; causal = places[None, :] <= "
        "query_at[:, None] is [queries, T]; the keys are token_mask[:, None, None, :]. Join them "
        "with &.",
    ),
)


LEFT, RIGHT = [False, False, True, True, True], [True, True, True, False, False]


FULL = [True] * 5


def padded(draw: torch.Generator) -> torch.Tensor:
    """Return a token mask [6, 5]: padded left, right, not at all, wholly, and as it is drawn."""
    left, right = torch.randint(1, 5, (2,), generator=draw).tolist()
    places = torch.arange(5)
    drawn = [(places >= left).tolist(), (places < right).tolist()]
    return torch.tensor([LEFT, RIGHT, FULL, [False] * 5, *drawn])


def mask_of(call, token_mask: torch.Tensor, queries: int) -> torch.Tensor:
    """Return the answer's mask, after a look at its form."""
    B, T = token_mask.shape
    seen = f"for a token mask of shape {[B, T]} and {queries} queries"
    return expect.tensor(call(token_mask, queries), (B, 1, queries, T), "bool", seen)


def counted(token_mask: torch.Tensor) -> torch.Tensor:
    """Return [B, 1, 1, T]: the keys that were real if all padding stood on the left."""
    T = token_mask.shape[1]
    return (torch.arange(T) >= T - token_mask.sum(1, keepdim=True))[:, None, None]


def of_last_real(token_mask: torch.Tensor, queries: int) -> torch.Tensor:
    """Return the mask of a row's last real tokens as queries, [B, 1, queries, T]."""
    places = torch.arange(token_mask.shape[1])
    last = (token_mask * (places + 1)).amax(1)[:, None]  # [B, 1]
    asking = last - queries + torch.arange(queries)  # [B, queries]
    return ((places <= asking[:, :, None]) & token_mask[:, None])[:, None]


def told(token_mask: torch.Tensor, place: Sequence[int]) -> str:
    """Return a sentence on a wrong entry."""
    b, _, i, s = place
    return f"for the tokens {token_mask[b].int().tolist()}, query {i} and key {s}"


@batch_mask.property("it is boolean, with a plane for each row and a line for each query")
def batch_form(call, draw):
    """[B, 1, queries, T]."""
    token_mask = padded(draw)
    mask_of(call, token_mask, 5)
    mask_of(call, token_mask[:3], 2)
    mask_of(call, token_mask[2:3, :1], 1)


@batch_mask.property("without padding it is the causal triangle")
def batch_causal(call, draw):
    """As many queries as keys."""
    for T in (5, 1):
        got = mask_of(call, torch.ones(2, T).bool(), T)[:, 0]
        right = masks.causal(T)
        place = first_wrong(got, right.expand_as(got))
        if place is None:
            continue
        seen = f"with {T} real tokens, query {place[1]} and key {place[2]}"
        ones = torch.ones(T, T)
        known = (
            (right.T, "the triangle is transposed: line i belongs to query i"),
            (ones.tril(-1).bool(), "no token may see itself, and it should"),
            (ones.tril(1).bool(), "each query sees one key ahead"),
            (~right, "the mask is upside down: True must say may attend"),
            (ones.bool(), "every query sees the future"),
        )
        name_mask(got, known, seen)
        raise Broken("it is another mask than the triangle", seen)


@batch_mask.property("no query sees padding, on either side")
def batch_padding(call, draw):
    """Columns of padding are empty."""
    token_mask = padded(draw)
    got = mask_of(call, token_mask, 5)
    seen = got & ~token_mask[:, None, None, :]
    if seen.any():
        causal = masks.causal(5)
        fault = "a query sees padding"
        if torch.equal(got, causal.expand_as(got)):
            fault = "padding is not hidden at all: the token mask has no effect"
        elif torch.equal(got, causal & counted(token_mask)):
            fault = "the padding is taken to stand on the left of every row"
        elif torch.equal(got[1, 0], causal & token_mask[1]):
            fault = "padding on the right is hidden, but padding on the left is seen"
        raise Broken(fault, told(token_mask, seen.nonzero().tolist()[0]))


@batch_mask.property("of the real keys, each query sees its own and all before it")
def batch_exact(call, draw):
    """Whatever the query itself is."""
    token_mask = padded(draw)
    got = mask_of(call, token_mask, 5)
    real_keys = token_mask[:, None, None, :]
    real_queries = token_mask[:, None, :, None]
    causal = masks.causal(5)
    right = causal & real_keys
    place = first_wrong(got, right)
    known = (
        (right & real_queries, "a padding token's line is emptied: hide keys only"),
        (causal & real_queries, "the token mask hides queries in place of keys"),
        (real_keys, "padding is hidden, the future is not"),
        (causal | real_keys, "the two masks are joined by or: both must allow a pair"),
        (causal & ~real_keys, "real keys and padding have changed places"),
        (right | torch.eye(5).bool(), "a padding token sees itself"),
        (right[:1], "the first row's padding is used for all rows"),
        (
            of_last_real(token_mask, 5),
            "a row's last real tokens ask, in place of its last positions",
        ),
    )
    if place:
        name_mask(got, known, told(token_mask, place))
    place = first_wrong(got & real_keys, right)
    if place:
        fault = "a query does not see a real key that came before or its own"
        if got[tuple(place)]:
            fault = "a query sees a real key of its future"
        raise Broken(fault, told(token_mask, place))


@batch_mask.property("with fewer queries than keys, the queries are the last ones")
def batch_queries(call, draw):
    """The bottom right corner."""
    token_mask = padded(draw)
    for queries in (1, 2, 4):
        got = mask_of(call, token_mask, queries)
        right = mask_of(call, token_mask, 5)[:, :, 5 - queries :]
        place = first_wrong(got, right)
        if place is None:
            continue
        seen = f"{told(token_mask, place)} (of {queries} queries and 5 keys)"
        top_left = torch.ones(queries, 5).tril().bool() & token_mask[:, None, None, :]
        fault = "the triangle starts at the top left, not at the bottom right"
        name_mask(got, [(top_left, fault)], seen)
        raise Broken("the lines are not the last ones of the square mask", seen)
    places = torch.arange(40)
    token_mask = torch.stack([places >= 17, places < 23])
    for queries in (40, 33):
        right = (masks.causal(40) & token_mask[:, None, None])[:, :, 40 - queries :]
        if not torch.equal(mask_of(call, token_mask, queries), right):
            seen = f"for 17 real tokens of 40 and {queries} queries"
            raise Broken("long rows get another mask than short ones", seen)
