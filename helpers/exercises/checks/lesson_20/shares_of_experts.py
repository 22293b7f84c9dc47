"""Exercise 20.2: the router."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_20.shared import ROUTE_FAULTS, normal, routed
from helpers.exercises.exercise import Broken, Exercise

shares_of_experts = Exercise(
    "20.2",
    "shares_of_experts",
    title="The router",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "Causal attention hides the future before its softmax. What is hidden here, and how do "
        "you know which k are not?",
        "With k = E it is a plain softmax. With k = 1 every row holds one 1. A constant added to "
        "a row of scores changes nothing.",
        "best = scores.topk(k).indices; hidden = torch.full_like(scores, -math.inf); put the "
        "scores of the best into it by scatter, then softmax over the last axis.",
    ),
)


def drawn(draw: torch.Generator, N: int, E: int) -> torch.Tensor:
    """Return scores [N, E] without ties, some far below 0."""
    return normal(draw, N, E) * 2 - 1


@shares_of_experts.property("it is a tensor [N, E] whose rows sum to 1")
def form(call, draw):
    """Also a single token and a single expert."""
    for N, E, k in ((5, 4, 2), (1, 3, 1), (2, 1, 1)):
        seen = f"for N = {N}, E = {E}, k = {k}"
        found = expect.tensor(call(drawn(draw, N, E), k), (N, E), seen=seen)
        expect.equal(
            found.sum(dim=-1),
            torch.ones(N).double(),
            f"{seen} the sums:",
            "a row does not sum to 1",
        )


@shares_of_experts.property(
    "exactly k experts of each token have a share: those with the best scores"
)
def chosen(call, draw):
    """Which are not zero; all scores negative too."""
    for N, E, k in ((6, 5, 2), (6, 5, 3), (4, 4, 1)):
        scores = drawn(draw, N, E) - 3 * (k == 3)
        found = expect.tensor(call(scores, k), (N, E))
        right = routed(scores, k) > 0
        if not torch.equal(found != 0, right):
            fault = "other experts have a share than the k best"
            if torch.equal(found != 0, routed(scores, k, "lowest") > 0):
                fault = "the experts with the lowest scores are chosen"
            if ((found != 0).sum(dim=-1) > k).all():
                fault = "more than k experts have a share: hide the others by minus infinity"
            if k < E and torch.equal(found != 0, routed(scores, k + 1) > 0):
                fault = "one more than k experts are chosen"
            raise Broken(fault, f"for N = {N}, E = {E}, k = {k}")


@shares_of_experts.property("the shares are a softmax over the k best scores alone")
def values(call, draw):
    """Against the right shares, and the slips by name; k = E is a plain softmax."""
    for N, E, k in ((5, 6, 2), (3, 4, 3), (3, 4, 4), (4, 5, 1)):
        scores = drawn(draw, N, E)
        found = expect.tensor(call(scores, k), (N, E))
        known = [(routed(scores, k, name), words) for name, words in ROUTE_FAULTS.items()]
        fault = "the shares are not the softmax of the best scores"
        expect.equal(found, routed(scores, k), f"for N = {N}, E = {E}, k = {k}:", fault, known)


@shares_of_experts.property("a score of exactly 0 is a score like others")
def zeros(call, draw):
    """0 as the best score, as the second best, and as the worst."""
    scores = torch.tensor([[0.0, 0.6931, -5.0], [0.0, -1.0, -2.0], [3.0, 0.0, 2.0]])
    found = expect.tensor(call(scores, 2), (3, 3))
    fault = "a score of 0 is taken for an expert that is not chosen"
    expect.equal(found, routed(scores, 2), "for scores of which one is 0:", fault)


@shares_of_experts.property("a constant added to a token's scores changes nothing")
def constant(call, draw):
    """Also a large one."""
    scores = drawn(draw, 4, 5)
    moved = scores + torch.tensor([[0.0], [3.0], [-40.0], [90.0]])
    found = expect.tensor(call(moved, 2), (4, 5))
    fault = "a constant added to a token's scores changes its shares"
    expect.equal(found, expect.tensor(call(scores, 2), (4, 5)), "", fault, tolerance=1e-4)
