"""Exercise 09.3: the last real token."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

last_real = Exercise(
    "09.3",
    "last_real",
    title="The last real token",
    minutes=8,
    level="medium",
    points=2,
    imports=("torch",),
    hints=(
        "How many real tokens a row has is not yet where the last one stands. For which side of "
        "padding is it enough to count?",
        "With padding on the left the result must be logits[:, -1], and without any padding too. "
        "With padding on the right, row b must be logits[b, n - 1] for its n real tokens. Then put "
        "NaN at all padding: the result must not change.",
        "place = (torch.arange(T) * token_mask).amax(dim=1) is the largest number of a column that "
        "is real, [B]. Then logits[torch.arange(B), place].",
    ),
)


def padded(draw: torch.Generator, spans: list[list[int]], T: int, V: int = 3):
    """Return logits [B, T, V] and a mask with real tokens from spans[b][0] up to spans[b][1]."""
    logits = torch.randn(len(spans), T, V, generator=draw)
    mask = torch.zeros(len(spans), T, dtype=torch.bool)
    for row, (first, end) in zip(mask, spans, strict=True):
        row[first:end] = True
    return logits, mask


def last_ones(call, logits, spans: list[list[int]], mask, case: str):
    """Compare with the last real token of each row, and name the known slips."""
    B, T, V = logits.shape
    rows = torch.arange(B)
    first, end = torch.tensor(spans).T
    given = logits.double()
    real = mask.double()[..., None]
    found, right = expect.tensor(call(logits, mask), (B, V), seen=case), given[rows, end - 1]
    if expect.close(found, right):
        return
    known = (
        (given[:, -1], "the last column is read, and in a short row it is padding"),
        (given[rows, end.clamp(max=T - 1)], "the column behind the last real token is read"),
        (given[rows, first], "the first real token is read, not the last"),
        (
            given[rows, end - first - 1],
            "the number of real tokens is taken for a place, which fails with left padding",
        ),
        ((given * real).sum(1) / real.sum(1), "the logits of all real tokens are averaged"),
    )
    fault = "a row does not get the logits at its last real token"
    fault = next((words for value, words in known if expect.close(found, value)), fault)
    row = next(b for b in range(B) if not expect.close(found[b], right[b]))
    column = [c for c in range(T) if expect.close(found[row], given[row, c])]
    got = f"those of column {column[0]}" if column else show(found[row])
    raise Broken(
        fault,
        f"{case}: the row with the mask {show(mask[row].long())} gets {got}, "
        f"right are those of column {int(end[row]) - 1}",
    )


@last_real.property("it has one row of logits for each row of the batch")
def last_real_form(call, draw):
    """[B, T, V] -> [B, V], also for a batch of one and a vocabulary of one."""
    for B, T, V in ((3, 5, 4), (1, 4, 3), (1, 1, 2), (4, 4, 4)):
        logits, mask = padded(draw, [[0, T]] * B, T, V)
        expect.tensor(call(logits, mask), (B, V), seen=f"for B = {B}, T = {T}, V = {V}")


@last_real.property("padded on the right, each row gives what it gives alone")
def last_real_right(call, draw):
    """Rows of different lengths, the longest without padding."""
    spans = [[0, 5], [0, 2], [0, 3], [0, 1]]
    logits, mask = padded(draw, spans, 5)
    last_ones(call, logits, spans, mask, "padding on the right")


@last_real.property("padded on the left, it is the last column")
def last_real_left(call, draw):
    """The other side."""
    spans = [[3, 5], [0, 5], [4, 5]]
    logits, mask = padded(draw, spans, 5)
    last_ones(call, logits, spans, mask, "padding on the left")


@last_real.property("a batch may mix both sides, and a row may have padding on both")
def last_real_mixed(call, draw):
    """Left, right and both at once."""
    for spans in ([[2, 6], [0, 4], [1, 3]], [[1, 5]]):
        logits, mask = padded(draw, spans, 6)
        last_ones(call, logits, spans, mask, "padding on both sides")


@last_real.property("nothing that stands at padding comes through")
def last_real_clean(call, draw):
    """NaN at padding."""
    spans = [[0, 2], [1, 4], [2, 3]]
    logits, mask = padded(draw, spans, 4)
    before = expect.tensor(call(logits, mask), (3, 3))
    right = logits[torch.arange(3), torch.tensor(spans)[:, 1] - 1].double()
    logits[~mask] = float("nan")
    after = call(logits, mask)
    if isinstance(after, torch.Tensor) and after.shape == before.shape and after.isnan().any():
        fault = "padding is read"
        if expect.close(before, right):
            fault = "what stands at padding comes through: pick by index, 0 times NaN is NaN"
        raise Broken(fault, f"mask {show(mask.long())}, NaN at all padding")
    if not expect.close(expect.tensor(after, (3, 3)), before):
        raise Broken("the result changes with what stands at padding", "NaN at all padding")
    logits[0, 1, 0] = -float("inf")  # a removed word at a real token
    kept = expect.tensor(call(logits, mask), (3, 3), infinite=True)
    if kept[0, 0] != -float("inf"):
        raise Broken(
            "minus infinity at the last real token does not come through: it is a removed word",
            f"it gives {show(kept[0])}",
        )
