"""Exercise 10.6: the ring."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_10.shared import head_row
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

ring_attention = Exercise(
    "10.6",
    "ring_attention",
    title="The ring",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Write token by token, as in the cache by hand, but into W places that exist from the "
        "start. Which place is the oldest when all are full? And which are filled before that?",
        "With W = 1 each row is its own value. With W of T or more it is the causal head. For "
        "T = 6 and W = 4 the ring holds the keys 4, 5, 2, 3 at the end. A place that was never "
        "filled must get no weight: a key of zeros has the score 0, and that is not nothing.",
        "keys, values = torch.zeros(2, W, D). For each t: keys[t % W], values[t % W] = key[t], "
        "value[t]; filled = min(t + 1, W); then softmax(keys[:filled] @ query[t] / D ** 0.5) over "
        "the filled places, times values[:filled]. Return torch.stack(rows), keys.",
    ),
)


def ring(call, query, key, value, W: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return (context [T, D], keys [W, D]) of an answer."""
    T, D = query.shape
    seen = f"for T = {T}, D = {D}, W = {W}"
    context, keys = expect.items(call(query, key, value, W), 2, seen)
    return (
        expect.tensor(context, (T, D), seen=f"context, {seen}"),
        expect.tensor(keys, (W, D), seen=f"keys, {seen}"),
    )


def windowed(query, key, value, first, empty=None) -> torch.Tensor:
    """Return rows in float64: row t sees the keys first(t) to t, and empty(t) keys of zeros."""
    rows = []
    for t in range(len(query)):
        zeros = torch.zeros(empty(t) if empty else 0, query.shape[1])
        keys = torch.cat([key[max(first(t), 0) : t + 1], zeros])
        values = torch.cat([value[max(first(t), 0) : t + 1], zeros])
        rows.append(head_row(query[t], keys, values))
    return torch.stack(rows)


@ring_attention.property("it gives a context row for each token, and the W keys of the ring")
def ring_form(call, draw):
    """[T, D] and [W, D]."""
    for T, D, W in ((5, 3, 2), (1, 2, 1), (3, 4, 6)):
        ring(call, *torch.randn(3, T, D, generator=draw), W)


@ring_attention.property("token t is written into place t modulo W, over the oldest")
def ring_places(call, draw):
    """What the ring holds at the end."""
    for T, W in ((6, 4), (7, 3), (4, 4), (3, 5), (5, 1)):
        query, key, value = torch.randn(3, T, 3, generator=draw)
        right, shifted, first = (torch.zeros(W, 3).double() for _ in range(3))
        for t in range(T):
            right[t % W] = key[t]
            shifted[(t + 1) % W] = key[t]
            if t < W:
                first[t] = key[t]
        in_order = torch.cat([torch.zeros(W, 3), key])[-W:].double()
        left = torch.cat([key[max(T - W, 0) :], torch.zeros(max(W - T, 0), 3)]).double()
        found = ring(call, query, key, value, W)[1]
        if not expect.close(found, right):
            known = (
                (shifted, "each token is written one place too far: token 0 goes into place 0"),
                (first, "the first W tokens stay, and nothing is written over"),
                (in_order, "the last W keys stand in order: a ring does not move what it holds"),
                (left, "the last W keys stand in order: a ring does not move what it holds"),
            )
            fault = "a place of the ring holds another key than it should"
            fault = next((words for keys, words in known if expect.close(found, keys)), fault)
            raise Broken(
                fault,
                f"T = {T}, W = {W}: it ends with the keys of tokens {names(found, key)}, "
                f"right are {names(right, key)}",
            )


def names(keys: torch.Tensor, key: torch.Tensor) -> str:
    """Return which token each key of a ring belongs to; - is a place of zeros."""
    found = []
    for row in keys:
        tokens = [str(t) for t in range(len(key)) if expect.close(row, key[t].double())]
        found.append(tokens[0] if tokens else "?" if row.any() else "-")
    return ", ".join(found)


@ring_attention.property("it equals attention with a window of W, for every W")
def ring_window(call, draw):
    """W from 1 to T + 3."""
    T, D = 6, 3
    query, key, value = torch.randn(3, T, D, generator=draw)
    for W in range(1, T + 4):
        found = ring(call, query, key, value, W)[0]
        right = windowed(query, key, value, lambda t, W=W: t - W + 1)
        if not expect.close(found, right):
            known = (
                (
                    windowed(query, key, value, lambda t: 0),
                    "old tokens are never left behind: a row sees the whole past",
                ),
                (
                    windowed(query, key, value, lambda t, W=W: t - W),
                    "a row sees W + 1 tokens: the token itself is one of the W",
                ),
                (
                    windowed(query, key, value, lambda t, W=W: min(t, t - W + 2)),
                    "a row sees only W - 1 tokens",
                ),
                (
                    windowed(
                        query,
                        key,
                        value,
                        lambda t, W=W: t - W + 1,
                        lambda t, W=W: max(W - 1 - t, 0),
                    ),
                    "places that were never filled get weight: a score of 0 is not nothing",
                ),
                (
                    windowed(query * D**0.5, key, value, lambda t, W=W: t - W + 1),
                    "the scores are not divided by anything",
                ),
            )
            fault = "a row is not the average over the last W tokens"
            fault = next((words for rows, words in known if expect.close(found, rows)), fault)
            row = next(t for t in range(T) if not expect.close(found[t], right[t]))
            raise Broken(
                fault,
                f"T = {T}, W = {W}: row {row} of the context is {show(found[row])}, "
                f"right is {show(right[row])}",
            )


@ring_attention.property("a place is empty where nothing was written, not where zeros were")
def ring_zeros(call, draw):
    """A first key of zeros, in a window that holds it."""
    query, key, value = torch.randn(3, 4, 2, generator=draw)
    key[0] = 0
    for W in (2, 4):
        expect.equal(
            ring(call, query, key, value, W)[0],
            windowed(query, key, value, lambda t, W=W: t - W + 1),
            f"T = 4, W = {W}, where key 0 is all zeros:",
            "a key of zeros is taken for an empty place",
        )


@ring_attention.property("each token sees itself")
def ring_itself(call, draw):
    """Change a value; the token's own row must move."""
    query, key, value = torch.randn(3, 5, 3, generator=draw)
    for W in (1, 3):
        before = ring(call, query, key, value, W)[0]
        for t in range(5):
            other = value.clone()
            other[t] += 1
            after = ring(call, query, key, other, W)[0]
            if expect.close(after[t], before[t]):
                fault = "a token does not see itself: write first, then look into the ring"
                if t >= W:
                    fault = "a token does not see itself once the ring is full"
                raise Broken(
                    fault,
                    f"W = {W}: row {t} stayed when value {t} was changed",
                )


@ring_attention.property("what was written over leaves no trace")
def ring_trace(call, draw):
    """NaN in the first token: later rows are clean as soon as it has left the ring."""
    for T, W in ((6, 3), (4, 1)):
        query, key, value = torch.randn(3, T, 2, generator=draw)
        clean = ring(call, query, key, value, W)[0]
        right = expect.close(clean, windowed(query, key, value, lambda t, W=W: t - W + 1))
        key[0] = value[0] = float("nan")
        context = expect.items(call(query, key, value, W), 2)[0]
        if not isinstance(context, torch.Tensor) or context.shape != clean.shape:
            raise Broken("with other numbers the context has another form", f"T = {T}, W = {W}")
        if not context[:W].isnan().any(dim=1).all():
            raise Broken(
                "NaN is swept away: a row whose window holds it must be spoiled",
                f"T = {T}, W = {W}, NaN in token 0: a row below {W} holds none",
            )
        if context[W:].isnan().any():
            fault = "a row still looks at a token that the ring has lost"
            if right:
                fault = (
                    "a token that has left the window still spoils later rows: hold only W values, "
                    "and hide nothing by a weight of 0"
                )
            raise Broken(fault, f"T = {T}, W = {W}, NaN in token 0: a row from {W} on holds NaN")
