"""Exercise 16.3: three kinds of feed-forward part."""

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.checks.lesson_16.shared import normal
from helpers.exercises.exercise import Broken, Exercise, WrongForm

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


def inputs(
    draw: torch.Generator, kind: str, shape=(2, 3, 4), h: int = 6
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Return x [B, T, C] and the matrices of a part of hidden width h."""
    C = shape[-1]
    weights = {"widen": normal(draw, h, C), "narrow": normal(draw, C, h) / 2}
    if kind != "gelu":
        weights["gate"] = normal(draw, h, C)
    return normal(draw, *shape), weights


def by_formula(x, weights, kind: str, as_stored: bool = False) -> torch.Tensor:
    """Return what is right, in float64; as_stored: with no matrix transposed (h = C)."""
    exact = {name: m.double() if as_stored else m.double().T for name, m in weights.items()}
    x = x.double()
    if kind == "gelu":
        return F.gelu(x @ exact["widen"]) @ exact["narrow"]
    bend = F.silu if kind == "swiglu" else F.gelu
    return bend(x @ exact["gate"]) * (x @ exact["widen"]) @ exact["narrow"]


@gated.property("it is a tensor [B, T, C], for each kind")
def gated_form(call, draw):
    """Three kinds, and axes of length 1."""
    for kind in KINDS:
        for shape, h in (((2, 3, 4), 6), ((1, 3, 4), 6), ((2, 1, 4), 6), ((1, 1, 1), 1)):
            x, weights = inputs(draw, kind, shape, h)
            seen = f"for kind = {kind!r} and x of shape {list(shape)}"
            found = call(x, weights, kind)
            if isinstance(found, torch.Tensor) and found.shape == x.squeeze().shape != x.shape:
                raise WrongForm("an axis of length 1 is lost", seen)
            expect.tensor(found, shape, seen=seen)


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


@gated.property("a square matrix is used the right way round as well")
def gated_square(call, draw):
    """h = C, where no shape tells rows from columns; and narrower than wide."""
    for kind in KINDS:
        for C, h in ((4, 4), (5, 2), (1, 3)):
            x, weights = inputs(draw, kind, (2, 3, C), h)
            known = ()
            if h == C:
                fault = "a square matrix is used the wrong way round: its rows make the output"
                known = ((by_formula(x, weights, kind, as_stored=True), fault),)
            expect.equal(
                expect.tensor(call(x, weights, kind), (2, 3, C)),
                by_formula(x, weights, kind),
                f"for kind = {kind!r}, C = {C}, h = {h}",
                known=known,
            )


@gated.property("it holds for large numbers of either sign, and for zeros")
def gated_large(call, draw):
    """Gates of 100 and more, where exp is beyond float32."""
    for kind in KINDS:
        x, weights = inputs(draw, kind, (1, 4, 4), 4)
        weights |= {name: torch.eye(4) for name in weights if name != "narrow"}
        x[0, 0] = 0
        x[0, 1], x[0, 2] = torch.tensor([100.0, -100.0, 90.0, -90.0]), 200.0
        found = call(x, weights, kind)
        seen = f"for kind = {kind!r} and numbers from -100 to 200"
        if isinstance(found, torch.Tensor) and 0 < found.isnan().sum() < found.numel():
            raise Broken("NaN for large numbers: exp must not grow beyond all bounds", seen)
        found = expect.tensor(found, x.shape, seen=seen)
        size = 4e4 if kind != "gelu" else 200
        expect.equal(found / size, by_formula(x, weights, kind) / size, seen)
