"""Exercise 05.4: silence a head."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_05.shared import normal
from helpers.exercises.exercise import Broken, Exercise

silenced = Exercise(
    "05.4",
    "silenced",
    title="Silence a head",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "The heads, side by side, go into this matrix. Is a head's slice of it made of rows or of "
        "columns, when torch stores a linear layer as [out, in]?",
        "Try it: F.linear(x, silenced(weight, H, h)) must equal F.linear(x0, weight), where x0 is "
        "x with the numbers of head h set to 0.",
        "Clone first, so that the given matrix stays. Then, with D = C // H, the columns h*D to "
        "(h+1)*D become 0.",
    ),
)


@silenced.property("it is a matrix [C, C]")
def silenced_form(call, draw):
    """Also for one head."""
    for C, H in ((6, 2), (4, 1)):
        expect.tensor(call(normal(draw, C, C), H, 0), (C, C), seen=f"for C = {C}, H = {H}")


@silenced.property("with it, head h writes nothing, and the others write what they wrote")
def silenced_output(call, draw):
    """What the projection gives, against a head that is 0."""
    for C, H in ((12, 2), (8, 4), (6, 1)):
        weight, heads, D = normal(draw, C, C), normal(draw, 5, C).double(), C // H
        exact = weight.double()
        for h in range(H):
            quiet, kept = heads.clone(), torch.zeros(5, C, dtype=torch.float64)
            quiet[:, h * D : (h + 1) * D] = 0
            kept[:, h * D : (h + 1) * D] = heads[:, h * D : (h + 1) * D]
            rows, strided, mixed = heads @ exact.T, heads.clone(), heads.clone()
            rows[:, h * D : (h + 1) * D] = 0
            strided[:, h::H] = 0
            mixed[:, h * H : (h + 1) * H] = 0
            after, before = heads.clone(), heads.clone()
            after[:, (h + 1) * D : (h + 2) * D] = 0
            before[:, max(h - 1, 0) * D : h * D] = 0
            found = expect.tensor(call(weight, H, h), (C, C))
            expect.equal(
                heads @ found.T,
                quiet @ exact.T,
                f"for C = {C}, H = {H}, h = {h}: the output of the projection:",
                "head h still writes, or another head is missing",
                known=(
                    (
                        rows,
                        "rows are set to 0: the heads arrive as input, and [out, in] has "
                        "inputs as columns",
                    ),
                    (kept @ exact.T, "it keeps head h alone and silences the others"),
                    (mixed @ exact.T, "a head is D = C / H columns wide, not H"),
                    (
                        strided @ exact.T,
                        "every H-th column is set to 0: a head's columns are neighbours",
                    ),
                    (after @ exact.T, "it silences the head after h: heads are counted from 0"),
                    (before @ exact.T, "it silences the head before h"),
                    (heads @ exact.T, "nothing is silenced"),
                ),
            )


@silenced.property("what the heads lose, one by one, adds up to the whole matrix")
def silenced_sum(call, draw):
    """The slices of all heads are the matrix."""
    C, H = 8, 2
    weight = normal(draw, C, C)
    lost = [weight.double() - expect.tensor(call(weight, H, h), (C, C)) for h in range(H)]
    expect.equal(
        sum(lost),
        weight.double(),
        f"for C = {C}, H = {H}:",
        "the slices of the heads do not make up the matrix",
    )


@silenced.property("the columns of head h are exactly 0, all others as they were, to the last bit")
def silenced_bits(call, draw):
    """float64, with tiny and huge numbers."""
    weight = normal(draw, 6, 6).double() + 0.1
    weight[0], weight[5] = weight[0] * 1e-30, weight[5] * 1e30
    for H, h in ((3, 1), (6, 5), (2, 0)):
        own = torch.arange(6) // (6 // H) == h
        found, seen = expect.tensor(call(weight, H, h), (6, 6)), f"for C = 6, H = {H}, h = {h}"
        right = weight.masked_fill(own, 0.0)
        if not expect.close(found[1:5], right[1:5], tolerance=0.01):
            raise Broken("another slice is silenced: mend that first", seen)
        if (found[:, own] != 0).any():
            raise Broken("head h is made quiet, not silent: its columns must be exactly 0", seen)
        if not torch.equal(found, right):
            raise Broken("the columns of other heads are rounded: keep the dtype of weight", seen)
