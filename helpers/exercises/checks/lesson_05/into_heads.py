"""Exercise 05.2: cut the width into heads."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_05.shared import normal
from helpers.exercises.exercise import Broken, Exercise, WrongForm

into_heads = Exercise(
    "05.2",
    "into_heads",
    title="Cut the width into heads",
    minutes=5,
    level="medium",
    points=2,
    hints=(
        "view cuts an axis without moving a number. Which axis has to be cut, and what stands "
        "between it and the place where H shall go?",
        "Take B = 1, T = 2, C = 4, H = 2 and x = torch.arange(8.).view(1, 2, 4). Head 0 must be "
        "[[0, 1], [4, 5]], head 1 [[2, 3], [6, 7]].",
        "Two steps: x.view(B, T, H, C // H) names the parts of the width, then transpose(1, 2) "
        "moves H in front of T.",
    ),
)


@into_heads.property("it is a tensor [B, H, T, D] with D = C / H")
def heads_form(call, draw):
    """All four axes of different lengths."""
    for B, T, H, D in ((2, 5, 4, 3), (1, 1, 1, 2)):
        x = normal(draw, B, T, H * D)
        seen = f"for x of shape {list(x.shape)} and H = {H}"
        found = call(x, H)
        if T != H and isinstance(found, torch.Tensor) and list(found.shape) == [B, T, H, D]:
            raise WrongForm("H is cut from the width, and still stands behind T", seen)
        expect.tensor(found, (B, H, T, D), seen=seen)


@into_heads.property("position t of head h is x[:, t, h*D:(h+1)*D]")
def heads_values(call, draw):
    """Against the slices; T = H hides a forgotten transpose from the shape."""
    for B, T, H, D in ((2, 4, 4, 3), (2, 5, 2, 3), (1, 3, 3, 3)):
        x = normal(draw, B, T, H * D)
        right = torch.stack([x[:, :, h * D : (h + 1) * D] for h in range(H)], dim=1).double()
        cut = x.double()
        found = expect.tensor(call(x, H), (B, H, T, D))
        expect.equal(
            found,
            right,
            f"for B = {B}, T = {T}, C = {H * D}, H = {H}:",
            known=(
                (
                    cut.reshape(B, H, T, D),
                    "each head holds a piece of the text instead of a piece of the width: "
                    "cut the width first, then move H",
                ),
                (cut.reshape(B, T, D, H).permute(0, 3, 1, 2), "a head holds every H-th column"),
                (right[:1].expand_as(right), "every row of the batch gets the first one's heads"),
                (right.flip(1), "the heads stand in reverse order"),
                (
                    cut.transpose(1, 2).reshape(B, H, T, D),
                    "T and C are swapped first, so the numbers no longer lie a vector at a time",
                ),
            ),
        )


@into_heads.property("whatever stands at one position stays at that position")
def heads_positions(call, draw):
    """Change one position; in every head only that row moves."""
    x = normal(draw, 1, 6, 4)
    before = expect.tensor(call(x, 2), (1, 2, 6, 2))
    for t in range(6):
        other = x.clone()
        other[:, t] += 1
        moved = (expect.tensor(call(other, 2), (1, 2, 6, 2)) != before).any(-1)[0]  # [H, T]
        if not moved[:, t].all() or moved.sum() != 2:
            raise Broken(
                "a number of one position turns up at another one",
                f"for T = 6, C = 4, H = 2, where position {t} was changed",
            )


@into_heads.property("every number comes out to its last bit")
def heads_bits(call, draw):
    """float64, with tiny and huge numbers."""
    x = normal(draw, 2, 3, 4).double() + 0.1
    x[0, 0], x[1, 2] = x[0, 0] * 1e-30, x[1, 2] * 1e30
    found = expect.tensor(call(x, 2), (2, 2, 3, 2))
    right = torch.stack([x[:, :, :2], x[:, :, 2:]], dim=1)
    if expect.close(found, right) and not torch.equal(found, right):
        raise Broken(
            "numbers are rounded on the way: keep the dtype of x",
            "for x of shape [2, 3, 4] in float64 and H = 2",
        )
    expect.equal(found, right, "for x of shape [2, 3, 4] in float64 and H = 2:")
