"""Exercise 21.4: do two models agree?"""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

agreement = Exercise(
    "21.4",
    "agreement",
    title="Do two models agree?",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "Three questions about the same two tables: how often is the best token the same, where is "
        "it another one for the first time, and how far apart are the laws?",
        "A model agrees with itself: same is 1, first is None, kl is 0. Adding 5 to a whole row of "
        "logits changes nothing. Logits of 200 must not give NaN.",
        "p, q = a.log_softmax(-1), b.log_softmax(-1); kl is the mean over places of "
        "(p.exp() * (p - q)).sum(-1). differ = a.argmax(-1) != b.argmax(-1).",
    ),
)


def laws(a: torch.Tensor, b: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the logarithms of both laws in float64."""
    return a.double().log_softmax(-1), b.double().log_softmax(-1)


def divergence(p: torch.Tensor, q: torch.Tensor) -> torch.Tensor:
    """Return KL(p || q) at each place."""
    return (p.exp() * (p - q)).sum(-1)


def answer(found, seen: str) -> tuple[float, int | None, float]:
    """Return the three values of a dict, each of its form."""
    found = expect.table(found, ("same", "first", "kl"), seen)
    first = found["first"]
    first = first if first is None else expect.whole(first, f"{seen}, in 'first'")
    numbers = (expect.number(found[key], f"{seen}, in {key!r}") for key in ("same", "kl"))
    same, kl = numbers
    return same, first, kl


def compare(call, a: torch.Tensor, b: torch.Tensor, seen: str) -> None:
    """Compare all three, and name the known slips."""
    same, first, kl = answer(call(a, b), seen)
    p, q = laws(a, b)
    equal = p.argmax(-1) == q.argmax(-1)
    differ = (~equal).nonzero().flatten().tolist()
    right_first = differ[0] if differ else None
    expect.equal(
        same,
        equal.double().mean().item(),
        f"{seen}, in 'same':",
        "the share of places with the same best token is another one",
        known=(
            (float(equal.sum()), "same is a number of places: a share is asked for"),
            ((~equal).double().mean().item(), "same is the share of places that differ"),
        ),
    )
    if first != right_first:
        fault = "first is not the first place where the best tokens differ"
        if right_first is None:
            fault = "the two never differ, and first is not None"
        elif differ and first == right_first + 1:
            fault = "places are counted from 0"
        elif len(differ) > 1 and first == differ[-1]:
            fault = "first is the last place where they differ"
        raise Broken(fault, f"{seen} it gives {first}, right is {right_first}")
    compare_kl(kl, a, b, seen, "kl is not the mean divergence in nats")


def compare_kl(
    kl: float, a: torch.Tensor, b: torch.Tensor, seen: str, fault: str, tolerance: float = 1e-5
) -> None:
    """Compare the mean divergence, and name the known slips."""
    p, q = laws(a, b)
    right = divergence(p, q).mean().item()
    crossed = (-(p.exp() * q).sum(-1)).mean().item()
    raw = (p.exp() * (a.double() - b.double())).sum(-1).mean().item()
    known = (
        (divergence(q, p).mean().item(), "the two laws have changed places in kl"),
        (divergence(p, q).sum().item(), "kl is summed over the places: the mean is asked for"),
        (right / math.log(2), "kl is in bits: nats are asked for"),
        (right / a.shape[-1], "kl is averaged over the vocabulary as well"),
        (crossed, "it is the cross-entropy: the entropy of the first law is not taken off"),
        (raw, "kl is made of raw logits: they are no logarithms of probabilities"),
    )
    expect.equal(kl, right, f"{seen}, in 'kl':", fault, known, tolerance)


def pair(draw: torch.Generator, T: int, V: int, away: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Return two tables of logits, the second `away` from the first."""
    a = 2 * torch.randn(T, V, generator=draw)
    return a, a + away * torch.randn(T, V, generator=draw) + 0.5


@agreement.property("a model agrees with itself")
def itself(call, draw):
    """The same table twice, and with a constant added to each row."""
    a, _ = pair(draw, 5, 7, 0.0)
    compare(call, a, a.clone(), "for a model and itself")
    shifted = a + torch.tensor([[5.0], [-3.0], [0.0], [1.0], [2.0]])
    compare(call, a, shifted, "for a constant added to each row")


@agreement.property("it finds the share, the first difference and the mean divergence")
def differences(call, draw):
    """Tables that differ at known places, and drawn ones."""
    a, b = pair(draw, 6, 5, 0.1)
    places = [2, 3, 5]
    for place in places:
        best = int(a[place].argmax())
        b[place, best] -= 12
    for place in (0, 1, 4):
        b[place, int(a[place].argmax())] += 3
    compare(call, a, b, "for two models that differ at the places 2, 3 and 5")
    for T in (1, 8):
        compare(call, *pair(draw, T, 6, 1.5), f"for drawn logits of {T} places")


@agreement.property("large logits give finite numbers")
def large(call, draw):
    """Laws in which nearly all is impossible."""
    a, b = (100 * logits for logits in pair(draw, 4, 5, 2.0))
    b[1] = -a[1]  # surely another best token
    seen = "for logits of some hundreds"
    _, _, kl = answer(call(a, b), seen)
    fault = "a logarithm is taken of a probability that was rounded to 0"
    compare_kl(kl, a, b, seen, fault, tolerance=1e-3)
