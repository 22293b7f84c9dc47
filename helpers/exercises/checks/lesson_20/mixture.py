"""Exercise 20.5: a mixture of experts."""

import torch
import torch.nn.functional as F

from helpers.exercises import expect
from helpers.exercises.checks.lesson_20.shared import ROUTE_FAULTS, normal, routed
from helpers.exercises.exercise import Broken, Exercise

mixture = Exercise(
    "20.5",
    "mixture",
    title="A mixture of experts",
    minutes=25,
    level="challenge",
    points=4,
    hints=(
        "First for one token: who is asked, what does each say, and how are the answers put "
        "together? Then think about how to ask an expert only for the tokens that chose it.",
        "With k = 1 the result is the best expert's answer itself, whatever its score. With all "
        "experts equal, the router does not matter.",
        "For each expert e: rows = (share[:, e] > 0).nonzero().flatten(), then add share[rows, e, "
        "None] * expert(x[rows]) into the result at these rows. An expert is "
        "(silu(x @ gate.T) * (x @ widen.T)) @ narrow.T.",
    ),
)


def expert(x: torch.Tensor, weights: dict, fault: str = "") -> torch.Tensor:
    """Return what one expert says of rows [n, C]."""
    w = {name: value.double() for name, value in weights.items()}
    gate, wide = x @ w["gate"].T, x @ w["widen"].T
    if fault == "swapped":
        gate, wide = wide, gate
    if fault == "no gate":
        return F.silu(wide) @ w["narrow"].T
    bent = {"gelu": F.gelu, "no bend": lambda x: x}.get(fault, F.silu)(gate)
    return (bent * wide) @ w["narrow"].T


FAULTS = {
    "swapped": "gate and widen have changed places: the gate is what is bent",
    "no gate": "the gate is missing",
    "gelu": "the gate is bent by GELU: this one is SiLU",
    "no bend": "the gate is not bent",
    "residual": "x itself is added: that is the block's affair",
    "no shares": "the answers are added up without their shares",
}


def mixed(x, router, experts, k: int, fault: str = "") -> torch.Tensor:
    """Return the mixture in float64, with a known fault if one is named."""
    x = x.double()
    share = routed(x @ router.double().T, k, fault if fault in ROUTE_FAULTS else "")
    share = (share > 0).double() if fault == "no shares" else share
    said = torch.stack([expert(x, weights, fault) for weights in experts], dim=1)  # [N, E, C]
    together = (share[..., None] * said).sum(dim=1)
    return together + x if fault == "residual" else together


def drawn(draw: torch.Generator, N: int, C: int, E: int, hidden: int):
    """Return x, the router and the experts."""
    experts = [
        {
            "gate": normal(draw, hidden, C) / C**0.5,
            "widen": normal(draw, hidden, C) / C**0.5,
            "narrow": normal(draw, C, hidden) / hidden**0.5,
        }
        for _ in range(E)
    ]
    return normal(draw, N, C), normal(draw, E, C), experts


SIZES = ((7, 6, 4, 5, 2), (4, 4, 5, 4, 3), (3, 5, 3, 8, 1))


@mixture.property("it is a tensor [N, C]")
def form(call, draw):
    """Also a single token; many tokens of which none chooses some expert."""
    for N, C, E, hidden, k in (*SIZES, (1, 4, 6, 3, 2)):
        seen = f"for N = {N}, C = {C}, E = {E}, k = {k}"
        expect.tensor(call(*drawn(draw, N, C, E, hidden), k), (N, C), seen=seen)


@mixture.property("no token hears of another one")
def alone(call, draw):
    """Change one row of x; the others stay."""
    x, router, experts = drawn(draw, 5, 6, 4, 5)
    before = expect.tensor(call(x, router, experts, 2), (5, 6))
    other = x.clone()
    other[2] = 3 * normal(draw, 6)
    moved = (expect.tensor(call(other, router, experts, 2), (5, 6)) - before).abs().amax(-1) > 1e-5
    moved[2] = False
    if moved.any():
        raise Broken(
            "a token's result changes with another token",
            f"for N = 5: row {moved.nonzero()[0].item()} moved, row 2 was changed",
        )


@mixture.property("an expert that a token does not use has no say in it")
def unused(call, draw):
    """Replace the worst expert of each token by one that shouts."""
    x, router, experts = drawn(draw, 6, 6, 4, 5)
    before = expect.tensor(call(x, router, experts, 2), (6, 6))
    share = routed(x @ router.T, 2)
    for e in range(4):
        loud = [*experts]
        loud[e] = {name: 5 * value for name, value in experts[e].items()}
        moved = (expect.tensor(call(x, router, loud, 2), (6, 6)) - before).abs().amax(-1) > 1e-4
        if (moved & (share[:, e] == 0)).any():
            raise Broken("an expert that a token does not use moves its result", f"expert {e}")


@mixture.property("large scores are shares too")
def large_scores(call, draw):
    """Scores of several hundred, whose exponentials overflow."""
    x, router, experts = drawn(draw, 6, 5, 4, 3)
    for k in (1, 2):
        found = call(x, 200 * router, experts, k)
        if isinstance(found, torch.Tensor) and not found.isfinite().all():
            raise Broken(
                "exponentials of large scores overflow: take off the maximum first",
                f"for scores of several hundred, k = {k}",
            )
        arguments = (x, 200 * router, experts, k)
        known = [
            (mixed(*arguments, name), words) for name, words in (ROUTE_FAULTS | FAULTS).items()
        ]
        fault = "it is not the mixture of the k best"
        found = expect.tensor(found, (6, 5))
        expect.equal(found, mixed(*arguments), "for large scores:", fault, known, 1e-4)


@mixture.property("it is the answers of the k best experts, each with its share")
def values(call, draw):
    """Against the right mixture, and the slips by name."""
    for N, C, E, hidden, k in (*SIZES, (4, 5, 3, 4, 3)):
        arguments = (*drawn(draw, N, C, E, hidden), k)
        found = expect.tensor(call(*arguments), (N, C))
        right = mixed(*arguments)
        known = [
            (mixed(*arguments, name), words) for name, words in (ROUTE_FAULTS | FAULTS).items()
        ]
        seen = f"for N = {N}, C = {C}, E = {E}, k = {k}:"
        expect.equal(found, right, seen, "it is not the mixture of the k best", known)
