"""Exercise 16.3: three kinds of feed-forward part."""

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.checks.lesson_16.shared import normal
from helpers.exercises.exercise import Broken, Exercise

gated = Exercise(
    "16.3",
    "gated",
    title="Plain, GeGLU, SwiGLU",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "All three end alike: something of width h goes through the last matrix. What is it for "
        "each kind?",
        "If the gate's matrix is zero, a gated part must give zeros, since both bends are 0 at 0. "
        "If the widening matrix is zero, too. Exchange the two matrices, and the answer changes.",
        "F.linear(x, matrix) is x times the matrix's transpose. Plain: gelu(widen(x)). Gated: "
        "bend(gate(x)) * widen(x), with F.silu for SwiGLU.",
    ),
)
KINDS = ("gelu", "geglu", "swiglu")
SQUASHED = "the gate is only squashed by a sigmoid, as in the GLU of 2017"


def inputs(draw: torch.Generator, kind: str) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return x [2, 3, 4] and the matrices of a part of hidden width 6."""
    weights = {"widen": normal(draw, 6, 4), "narrow": normal(draw, 4, 6) / 2}
    if kind != "gelu":
        weights["gate"] = normal(draw, 6, 4)
    return normal(draw, 2, 3, 4), weights


@gated.property("it is a tensor [B, T, C], for each kind")
def gated_form(call, draw):
    """Three kinds."""
    for kind in KINDS:
        x, weights = inputs(draw, kind)
        expect.tensor(call(x, weights, kind), (2, 3, 4), seen=f"for kind = {kind!r}")


@gated.property("a gate of zeros closes: nothing comes through")
def closed(call, draw):
    """Zero either of the two that multiply."""
    for kind in KINDS[1:]:
        for name in ("gate", "widen"):
            x, weights = inputs(draw, kind)
            weights[name] = torch.zeros(6, 4)
            half = x.double() @ weights["widen"].double().T @ weights["narrow"].double().T / 2
            expect.equal(
                expect.tensor(call(x, weights, kind), (2, 3, 4)),
                torch.zeros(2, 3, 4).double(),
                f"for kind = {kind!r} with {name} all zeros",
                "one of the two wide vectors is zero, and still something comes out: they "
                "multiply, they are not added",
                known=((half, SQUASHED),),
            )


@gated.property("no position hears of another one")
def gated_alone(call, draw):
    """Change one position; the others stay."""
    for kind in KINDS:
        x, weights = inputs(draw, kind)
        before = expect.tensor(call(x, weights, kind), (2, 3, 4))
        other = x.clone()
        other[0, 1] += 1
        moved = (expect.tensor(call(other, weights, kind), (2, 3, 4)) - before).abs().amax(-1)
        moved[0, 1] = 0
        if moved.max() > 1e-5:
            raise Broken("a position changes with another one", f"for kind = {kind!r}")


@gated.property("each kind is its formula, with the exact GELU")
def gated_values(call, draw):
    """Against the formulas, and the known slips by name."""
    bends = {"gelu": F.gelu, "geglu": F.gelu, "swiglu": F.silu}
    for kind, bend in bends.items():
        x, weights = inputs(draw, kind)
        exact = {name: matrix.double() for name, matrix in weights.items()}
        wide, narrow = x.double() @ exact["widen"].T, exact["narrow"].T  # [2, 3, 6], [6, 4]
        if kind == "gelu":
            right = bend(wide) @ narrow
            slips = [
                (F.gelu(wide, approximate="tanh"), "that is the tanh form of GELU"),
                (F.silu(wide), "the plain part bends by GELU, not by SiLU"),
                (wide, "the plain part does not bend, so its two matrices are one"),
            ]
        else:
            gate = x.double() @ exact["gate"].T
            right = bend(gate) * wide @ narrow
            slips = [
                (F.gelu(gate, approximate="tanh") * wide, "that is GeGLU with the tanh form"),
                (bend(wide) * gate, "the wrong one is bent: the gate is"),
                (torch.sigmoid(gate) * wide, SQUASHED),
                (gate * wide, "the gate is not bent at all"),
                (bend(gate * wide), "the product is bent, instead of the gate before it"),
                (bend(gate) * bend(wide), "both are bent"),
                (bend(gate), "the gate alone goes on, and the other wide vector is lost"),
                (bend(wide), "a gated part is asked for, and this is the plain one"),
                (F.gelu(gate) * wide, "SwiGLU is asked for, and this is GeGLU"),
                (F.silu(gate) * wide, "GeGLU is asked for, and this is SwiGLU"),
            ]
        expect.equal(
            expect.tensor(call(x, weights, kind), (2, 3, 4)),
            right,
            f"for kind = {kind!r}",
            known=[(hidden @ narrow, sentence) for hidden, sentence in slips],
        )
