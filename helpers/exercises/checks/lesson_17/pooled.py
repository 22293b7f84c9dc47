"""Exercise 17.3: fewer heads from many."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_17.shared import normal
from helpers.exercises.exercise import Broken, Exercise, WrongForm

pooled = Exercise(
    "17.3",
    "pooled",
    title="Fewer heads from many",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "Rows h * D to (h + 1) * D belong to head h. Which heads become one, and what is averaged: "
        "rows, columns, or heads?",
        "If all heads of a group are equal, the new head equals them. With G = H nothing changes. "
        "For H = 2, D = 2 and rows 0, 1, 2, 3, G = 1 gives rows 1, 2.",
        "weight.reshape(G, H // G, D, ...) names the group, the head in it and the row; average "
        "over dim 1 and join the first two axes again.",
    ),
)
SIZES = (
    (4, 2, 3, 5),
    (6, 2, 2, 4),
    (6, 3, 2, 4),
    (4, 1, 2, 3),
    (4, 2, 2, 16),
    (2, 1, 1, 1),
)  # H, G, D, C


@pooled.property("it is a tensor [G * D, C], or [G * D] for a bias")
def pooled_form(call, draw):
    """Weights and biases."""
    for H, G, D, C in SIZES:
        seen = f"for H = {H}, G = {G}, D = {D}"
        found = call(normal(draw, H * D, C), H, G)
        columns = C // H * G  # rows, where a head is taken to be C / H wide
        if isinstance(found, torch.Tensor) and found.dim() == 2 and len(found) != G * D:
            if len(found) == max(columns, G):
                fault = "the width of a head is taken from the columns: the rows make the heads"
                raise WrongForm(fault, f"{seen}, C = {C}")
        expect.tensor(found, (G * D, C), seen=seen)
        expect.tensor(call(normal(draw, H * D), H, G), (G * D,), seen=f"{seen} and a bias")


@pooled.property("with G = H nothing changes, and equal heads stay as they are")
def unchanged(call, draw):
    """Both cases where the average is known without computing."""
    for H, D in ((3, 2), (4, 3)):
        weight = normal(draw, H * D, 5)
        found = expect.tensor(call(weight, H, H), weight.shape)
        expect.equal(found, weight.double(), f"for G = H = {H}:", "with G = H something changes")
    one = normal(draw, 2, 1, 3, 5)  # [G, 1, D, C]
    weight = one.expand(2, 2, 3, 5).reshape(12, 5)
    expect.equal(
        expect.tensor(call(weight, 4, 2), (6, 5)),
        one.reshape(6, 5).double(),
        "for H = 4, G = 2, D = 3, where the two heads of each group are equal:",
        "heads that are equal in a group do not stay as they are",
    )


@pooled.property("each new head is the average of its own neighbours")
def averages(call, draw):
    """Against a loop over heads, and the known slips by name."""
    for H, G, D, C in SIZES:
        for shape in ((H * D, C), (H * D,)):
            weight = normal(draw, *shape)
            heads = weight.double().unflatten(0, (H, D))  # [H, D, ...]
            share = H // G
            right = heads.unflatten(0, (G, share)).mean(1).flatten(0, 1)
            in_turn = heads.unflatten(0, (share, G)).mean(0).flatten(0, 1)
            rows = weight.double().unflatten(0, (G * D, share)).mean(1)
            first = heads[::share].flatten(0, 1)
            running = heads.unflatten(0, (G, share))[:, 0]
            for r in range(1, share):
                running = (running + heads.unflatten(0, (G, share))[:, r]) / 2
            expect.equal(
                expect.tensor(call(weight, H, G), right.shape),
                right,
                f"for a tensor of shape {list(shape)}, H = {H}, G = {G}:",
                known=(
                    (right * share, "the heads of a group are added, and not averaged"),
                    (first, "the first head of each group is taken, and the others are lost"),
                    (heads[:G].flatten(0, 1), "the first heads are kept, and the others are lost"),
                    (
                        rows,
                        "neighbouring rows are averaged, and a head is D rows that belong apart",
                    ),
                    (
                        running.flatten(0, 1),
                        "the last heads of a group count most: each has the same share",
                    ),
                    (in_turn, "heads that stand far apart are averaged, not neighbours"),
                ),
            )


@pooled.property("what is averaged over is heads: no number crosses to another column")
def columns(call, draw):
    """Change one column; only it moves."""
    weight = normal(draw, 8, 5)
    before = expect.tensor(call(weight, 4, 2), (4, 5))
    other = weight.clone()
    other[:, 2] += 1
    moved = (expect.tensor(call(other, 4, 2), (4, 5)) - before).abs().amax(0) > 1e-5
    if moved.tolist() != [False, False, True, False, False]:
        raise Broken(
            "a column of the weight turns up in another column",
            "for H = 4, G = 2, D = 2, C = 5, where column 2 was changed",
        )


@pooled.property("the dtype stays, and float64 keeps its digits")
def digits(call, draw):
    """float64 with G = H, where nothing may change, and with groups; tiny and huge numbers."""
    for H, G in ((3, 3), (6, 2)):
        for size in (1.0, 1e-12, 1e12):
            weight = (normal(draw, H * 2, 3).double() + 0.1) * size
            seen = f"for H = {H}, G = {G}, D = 2 in float64 and numbers of about {size:g}"
            found = call(weight, H, G)
            expect.tensor(found, (G * 2, 3), seen=seen)
            if found.dtype != torch.float64:
                raise WrongForm("it comes back in another dtype than the weight's", seen)
            right = weight.unflatten(0, (G, H // G, 2)).mean(1).flatten(0, 1)
            if expect.close(found / size, right / size):
                if not expect.close(found / size, right / size, 1e-12):
                    raise Broken("numbers are rounded to float32 on the way", seen)
    single = call(normal(draw, 4, 3), 2, 1)
    if isinstance(single, torch.Tensor) and single.dtype == torch.float64:
        seen = "for H = 2, G = 1, D = 2 in float32"
        raise WrongForm("it comes back in another dtype than the weight's", seen)
