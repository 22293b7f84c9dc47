"""Exercise 10.4: the mask of a piece."""

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

piece_mask = Exercise(
    "10.4",
    "piece_mask",
    title="The mask of a piece",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The queries are the last tokens of the text, not the first. At which position does the "
        "first query of the piece stand?",
        "With past = 0 it is the causal triangle, and the last row always sees the last key. Cut "
        "16 tokens into 7 + 9: the rows of both pieces, the first ones filled up with False, must "
        "be the mask of the whole text.",
        "query = past + torch.arange(new)[:, None] and key = torch.arange(past + new). A key may "
        "be seen if query - key is at least 0 and, with a window, less than it.",
    ),
)


def piece(call, past: int, new: int, window: int | None) -> torch.Tensor:
    """Return the mask of an answer, boolean [new, past + new]."""
    seen = f"for past = {past}, new = {new}, window = {window}"
    return expect.tensor(call(past, new, window), (new, past + new), "bool", seen)


def grid(mask: torch.Tensor) -> str:
    """Return a mask in few signs, a row between bars."""
    return " | ".join("".join("x" if seen else "." for seen in row) for row in mask.tolist())


def compare_masks(found, past: int, new: int, window: int | None, fault: str) -> None:
    """Compare with the right mask, and name the known slips."""
    distance = past + torch.arange(new)[:, None] - torch.arange(past + new)
    right = distance >= 0
    top_left = torch.ones(new, past + new, dtype=torch.bool).tril()
    slips = [
        (~right, "True must mean: may attend"),
        (distance > 0, "a token does not see itself"),
        (distance <= 0, "the triangle is turned: a token sees the future and not the past"),
        (top_left, "the triangle starts at the first key, and the queries are the last tokens"),
        (right | True, "everything is open: later tokens of the same piece must be hidden"),
        (distance >= -1, "each token sees one that comes after it"),
    ]
    if window is not None:
        unlimited, right = right, right & (distance < window)
        inside = torch.arange(past + new) >= past
        slips = [
            (unlimited, "the window is ignored"),
            (unlimited & (distance <= window), "a row sees one token more than the window"),
            (unlimited & (distance < window - 1), "the window must count the token itself"),
            (distance < window, "the window has no end: later tokens must stay hidden"),
            (
                unlimited & ((distance < window) | ~inside),
                "the window is laid on the new tokens only, and all of the past stays open",
            ),
            *slips,
        ]
    if not torch.equal(found, right):
        fault = next((words for mask, words in slips if torch.equal(found, mask)), fault)
        raise Broken(
            fault,
            f"for past = {past}, new = {new}, window = {window} it gives {grid(found)}, "
            f"right is {grid(right)}",
        )


@piece_mask.property("it is boolean, a row for each new token, a column for each one so far")
def piece_form(call, draw):
    """[new, past + new]."""
    for past, new, window in ((2, 4, None), (0, 3, None), (5, 1, None), (3, 2, 2)):
        piece(call, past, new, window)


@piece_mask.property("without a past it is the causal triangle")
def piece_no_past(call, draw):
    """past = 0."""
    for new in (4, 1):
        compare_masks(piece(call, 0, new, None), 0, new, None, "it is not the causal triangle")


@piece_mask.property("behind a past, a row sees all of it and the new tokens up to itself")
def piece_past(call, draw):
    """Also for one new token, which sees all."""
    drawn = torch.randint(4, 20, (2, 2), generator=draw).tolist()
    for past, new in ((5, 1), (2, 4), (3, 2), (1, 3), *drawn):
        fault = "a row sees too much or too little behind a past"
        compare_masks(piece(call, past, new, None), past, new, None, fault)


@piece_mask.property("with a window of W, a row sees the last W tokens, itself among them")
def piece_window(call, draw):
    """W = 1, W beyond the text, and between."""
    drawn = torch.randint(2, 15, (3, 3), generator=draw).tolist()
    for past, new, window in ((4, 3, 2), (0, 6, 4), (5, 2, 1), (2, 3, 9), (6, 1, 4), *drawn):
        fault = "a row does not see the last W tokens"
        compare_masks(piece(call, past, new, window), past, new, window, fault)


@piece_mask.property("the pieces of a text, put together, are the mask of the whole text")
def piece_pieces(call, draw):
    """16 tokens as 7 + 9, 1 + 15, 15 + 1, one by one, and as drawn."""
    cut = int(torch.randint(2, 15, (), generator=draw))
    for pieces in ([7, 9], [1, 15], [15, 1], [1] * 16, [cut, 16 - cut]):
        for window in (None, 4):
            whole = masks.causal(16) if window is None else masks.window(16, width=window)
            past = 0
            for new in pieces:
                found = piece(call, past, new, window)
                if not torch.equal(found, whole[past : past + new, : past + new]):
                    raise Broken(
                        "put together, the pieces are not the mask of the whole text",
                        f"16 tokens as {' + '.join(map(str, pieces))}, window {window}, "
                        f"piece that begins at {past}",
                    )
                past += new
