"""Exercise 16.2: an RMSNorm without the three slips."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_16.shared import normal, rms_normed
from helpers.exercises.exercise import Broken, Exercise, WrongForm

rms_norm = Exercise(
    "16.2",
    "rms_norm",
    title="RMSNorm without the three slips",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "One position, one vector, one mean: of what, and over which axis? Nothing is subtracted.",
        "[3, 4] with weight 1 and eps 0 becomes [0.848528, 1.131371]. Four numbers 300 in float16 "
        "become four ones. Times 3, a long vector comes out as before.",
        "Take x.float() first. mean_square = exact.pow(2).mean(dim=-1, keepdim=True), then exact / "
        "(mean_square + eps).sqrt(), times weight or 1 + weight, and .to(x.dtype) at the end.",
    ),
)


def form(found, x, seen: str) -> torch.Tensor:
    """Return what came out in float64; WrongForm for another shape, or 16-bit numbers lost."""
    exact = expect.tensor(found, x.shape, seen=seen)
    if x.dtype == torch.float16 and found.dtype != torch.float16:
        raise WrongForm("16-bit numbers went in, and others came back", seen)
    return exact


@rms_norm.property("it keeps the shape and, for 16-bit numbers, the dtype")
def norm_form(call, draw):
    """From one axis to four, axes of length 1, float16."""
    for shape in ((4,), (2, 3, 5), (3, 4), (1, 1, 6), (2, 1, 3, 4), (2, 1), (1,)):
        x = normal(draw, *shape)
        expect.tensor(
            call(x, torch.ones(shape[-1]), 1e-5, False), shape, seen=f"for x of shape {list(shape)}"
        )
    for x in (normal(draw, 4), normal(draw, 2, 3, 5), normal(draw, 2, 3, 5).half()):
        seen = f"for x of shape {list(x.shape)} ({x.dtype})"
        form(call(x, torch.ones(x.shape[-1]), 1e-5, False), x, seen)


@rms_norm.property("a position times 3 gives the same, a position plus 5 does not")
def norm_scale(call, draw):
    """Invariance to size, and to nothing else."""
    x, weight = normal(draw, 2, 3, 4) + 1, normal(draw, 4) + 2
    before = form(call(x, weight, 1e-9, False), x, "")
    seen = "for x of shape [2, 3, 4]"
    expect.equal(
        form(call(3 * x, weight, 1e-9, False), x, ""),
        before,
        seen,
        "three times the vector gives something else",
    )
    if expect.close(form(call(x + 5, weight, 1e-9, False), x, ""), before, 1e-3):
        raise Broken("5 added to every column changes nothing: a mean is subtracted", seen)


@rms_norm.property("no position hears of another one")
def norm_alone(call, draw):
    """Change one position; the others stay."""
    x, weight = normal(draw, 2, 3, 4), torch.ones(4)
    before = form(call(x, weight, 1e-5, False), x, "")
    other = x.clone()
    other[1, 1] = 5 * normal(draw, 4)
    moved = ((form(call(other, weight, 1e-5, False), x, "") - before).abs() > 1e-5).any(-1)
    moved[1, 1] = False
    if moved.any():
        raise Broken(
            "a position changes with another one: the mean belongs to one vector",
            "for B = 2, T = 3, where position 1 of row 1 was changed",
        )


@rms_norm.property("inside, it does not count in 16 bits")
def norm_half(call, draw):
    """300 squared is beyond float16, 0.0001 squared is nothing in it."""
    for size, eps in ((300.0, 1e-5), (1e-4, 1e-12), (1e-3, 1e-6)):
        x = torch.tensor([[size, -size, size, size], [size, size / 2, -size, size / 4]]).half()
        seen = f"for numbers of about {size:g} and eps {eps:g}, in float16 and in float32"
        wide = form(call(x.float(), torch.ones(4), eps, False), x.float(), seen)
        found = call(x, torch.ones(4), eps, False)
        if isinstance(found, torch.Tensor) and found.is_floating_point():
            found = found.nan_to_num(0.0, 0.0, 0.0)
        fault = "16-bit squares overflow or vanish: count in float32 inside"
        expect.equal(form(found, x, seen), wide, seen, fault, tolerance=2e-3)


@rms_norm.property("a weight stays in float32, also beside 16-bit numbers")
def norm_weight(call, draw):
    """A weight beyond float16, and what it multiplies small enough."""
    x, weight = torch.tensor([[0.01, 1.0]]).half(), torch.tensor([1e5, 1.0])
    for one_plus in (False, True):
        seen = f"for x = [[0.01, 1]] in float16, weight [100000, 1], one_plus = {one_plus}"
        right = rms_normed(x, weight + one_plus, 1e-5)
        found = call(x, weight, 1e-5, one_plus)
        whole = isinstance(found, torch.Tensor) and found.shape == (1, 2)
        if whole and found[0, 0].isinf() and expect.close(found[0, 1], right[0, 1], 2e-3):
            raise Broken("the weight is rounded to 16 bits: it stays in float32", seen)
        expect.equal(form(found, x, seen), right, seen, tolerance=2e-3)


@rms_norm.property("a vector of zeros gives zeros, and never NaN")
def norm_zeros(call, draw):
    """eps keeps the root from 0."""
    x = normal(draw, 1, 2, 4)
    x[0, 1] = 0
    found = call(x, torch.ones(4), 1e-5, False)
    if isinstance(found, torch.Tensor) and found.shape == x.shape:
        lost = found[0].isnan().any(-1).tolist()  # by position
        if lost == [False, True]:
            raise Broken("0 is divided by 0: eps is missing", "for a position of zeros")
    expect.equal(form(found, x, "")[0, 1], torch.zeros(4).double(), "for a position of zeros:")


@rms_norm.property("it is x / sqrt(mean of squares + eps), times weight or 1 + weight")
def norm_values(call, draw):
    """Large and tiny vectors; a tiny one shows where eps stands."""
    for size, eps, one_plus in (
        (2.0, 1e-5, False),
        (2.0, 1e-5, True),
        (1e-2, 1e-4, False),
        (1e-2, 1e-6, True),
        (1e-3, 1e-6, False),
        (1e4, 1e-8, True),
        (0.2, 0.5, False),
    ):
        x, weight = size * normal(draw, 2, 3, 5), normal(draw, 5) / 2 + 1
        exact, w = x.double(), weight.double()
        square = exact.pow(2).mean(-1, keepdim=True)
        right = rms_normed(x, 1 + w if one_plus else w, eps)
        bare = right / (1 + w if one_plus else w)
        plain = "1 + weight is asked for, and it multiplies by the weight"
        more = "the weight itself is asked for, and it multiplies by 1 + weight"
        expect.equal(
            form(call(x, weight, eps, one_plus), x, ""),
            right,
            f"for C = 5, numbers of about {size:g}, eps {eps:g} and one_plus = {one_plus}:",
            known=(
                (right * w / (1 + w), plain) if one_plus else (right * (1 + w) / w, more),
                (bare, "the weight is not applied"),
                (right / bare * exact / (square.sqrt() + eps), "eps stands outside the root"),
                (right / bare * exact / square.sqrt(), "eps is not added"),
                (right / bare * exact / (square + eps), "it divides by the mean square itself"),
                (
                    right / bare * exact / (5 * square + eps).sqrt(),
                    "it divides by the length of the vector: the squares are summed, not averaged",
                ),
                (
                    right / bare * exact / square.clamp(min=eps).sqrt(),
                    "the mean square is held above eps, where eps is added to it",
                ),
                (
                    right / bare * exact / (square + 1e-5).sqrt(),
                    "it has an eps of its own, and leaves the one that is given",
                ),
            ),
        )
