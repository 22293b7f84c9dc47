"""Exercise 20.3: cut a fused matrix, head by head."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_20.shared import normal
from helpers.exercises.exercise import Exercise

cut_by_head = Exercise(
    "20.3",
    "cut_by_head",
    title="Cut a fused matrix",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "Write down what the first rows hold for H = 2 and D = 1: there are six of them. Which of "
        "them are the queries?",
        "For H = 1 both orders are the same: three pieces one below the other. For H = 2, D = 1 "
        "the queries are rows 0 and 3.",
        "fused.view(H, 3, D, ...) names the parts of the rows: index 0, 1 or 2 on the second axis, "
        "then put H and D together again.",
    ),
)


def thirds(fused: torch.Tensor, H: int) -> list[torch.Tensor]:
    """Return queries, keys and values of a matrix or bias that is fused head by head."""
    parts = fused.unflatten(0, (H, 3, -1))
    return [parts[:, number].flatten(0, 1) for number in range(3)]


def slips(fused: torch.Tensor, H: int) -> list[tuple[torch.Tensor, str]]:
    """Return what known slips give, stacked, each with its name."""
    D = len(fused) // (3 * H)
    by_lane = fused.unflatten(0, (H, D, 3))
    mixed = fused.unflatten(0, (3, D, H))
    right = torch.stack(thirds(fused, H))
    return [
        (
            torch.stack(fused.chunk(3)),
            "it cuts into three thirds: here each head's three come together",
        ),
        (right.roll(-1, 0), "the three have changed places: query comes first, then key, value"),
        (right[[0, 2, 1]], "key and value have changed places"),
        (
            torch.stack([by_lane[:, :, n].flatten(0, 1) for n in range(3)]),
            "every third row is taken: D rows of a head's query come together",
        ),
        (
            torch.stack([mixed[n].transpose(0, 1).flatten(0, 1) for n in range(3)]),
            "the rows are cut into three first and sorted by head afterwards",
        ),
        (right.unflatten(1, (H, D)).transpose(1, 2).flatten(1, 2), "the heads are interleaved"),
    ]


@cut_by_head.property("it is a list of three, each a third as long, the width unchanged")
def form(call, draw):
    """A matrix, a bias, and one head."""
    for H, D, C in ((2, 3, 5), (1, 4, 4), (4, 1, 3), (2, 2, 1), (1, 1, 1)):
        seen = f"for H = {H}, D = {D}, C = {C}"
        for part in expect.items(call(normal(draw, 3 * H * D, C), H), 3, seen):
            expect.tensor(part, (H * D, C), seen=seen)
    for part in expect.items(call(normal(draw, 18), 2), 3, "for a bias of 18 numbers and H = 2"):
        expect.tensor(part, (6,), seen="for a bias of 18 numbers and H = 2")
    for part in expect.items(call(normal(draw, 3), 1), 3, "for a bias of 3 numbers and H = 1"):
        expect.tensor(part, (1,), seen="for a bias of 3 numbers and H = 1")


@cut_by_head.property("every row comes out where its head and its kind say")
def rows(call, draw):
    """Matrices and biases, with the slips by name."""
    for H, D, C in ((2, 4, 5), (3, 2, 4), (4, 3, 2), (1, 3, 3)):
        for fused in (normal(draw, 3 * H * D, C), normal(draw, 3 * H * D)):
            found = expect.items(call(fused, H), 3)
            found = torch.stack([expect.tensor(part, (H * D, *fused.shape[1:])) for part in found])
            right = torch.stack(thirds(fused.double(), H))
            kind = "a matrix" if fused.ndim == 2 else "a bias"
            fault = "a row stands where another head or another kind belongs"
            known = [(value.double(), words) for value, words in slips(fused, H)]
            expect.equal(found, right, f"for {kind}, H = {H}, D = {D}:", fault, known)
