"""Exercise 21.3: the logit lens."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

EPS = 1e-5

lens = Exercise(
    "21.3",
    "lens",
    title="The logit lens",
    minutes=8,
    level="medium",
    points=2,
    hints=(
        "What stands between the stream after the last block and a probability? Do the same to "
        "every row of the states, and not only to the last.",
        "The last number must be the model's own probability. A state that is ten times as large "
        "gives the same probability, since the norm divides it by its own size.",
        "normed = states / sqrt(mean of states**2 over the last axis + 1e-5) * norm_weight; "
        "(normed @ head.T).softmax(-1)[:, token].",
    ),
)


def through(states, norm_weight, head, token, fault: str = "") -> torch.Tensor:
    """Return the probabilities in float64, with a known fault if one is named."""
    x, w, head = states.double(), norm_weight.double(), head.double()
    size = x.square().mean(-1, keepdim=True)
    if fault == "layer":
        x = x - x.mean(-1, keepdim=True)
        size = x.square().mean(-1, keepdim=True)
    elif fault == "together":
        size = x.square().mean()
    elif fault == "sum":
        size = x.square().sum(-1, keepdim=True)
    root = size.sqrt() + EPS if fault == "outside" else (size + EPS).sqrt()
    normed = x if fault in ("no norm", "nothing") else x / root
    if fault == "weight first":
        x = x * w
        normed = x / (x.square().mean(-1, keepdim=True) + EPS).sqrt()
    weighted = fault not in ("no weight", "nothing", "weight first")
    logits = (normed * w if weighted else normed) @ head.T
    if fault == "logits":
        return logits[:, token]
    if fault == "over blocks":
        return logits.softmax(0)[:, token]
    if fault == "log":
        return logits.log_softmax(-1)[:, token]
    return logits.softmax(-1)[:, token]


FAULTS = {
    "no norm": "the states are not normed before the head reads them",
    "nothing": "the final norm is left out, with its weight",
    "weight first": "the weight comes after the norm: the size is that of the state alone",
    "no weight": "the learned weight of the norm is left out",
    "layer": "a mean is taken off: RMSNorm takes off nothing",
    "together": "all states are normed together: each has its own size",
    "sum": "the squares are summed: RMSNorm takes their mean",
    "outside": "eps stands outside the root",
    "logits": "it gives logits: a softmax over the vocabulary is missing",
    "over blocks": "the softmax runs over the blocks: it belongs to the vocabulary",
    "log": "it gives logarithms of probabilities",
}


def compare(call, states, norm_weight, head, token: int, seen: str) -> None:
    """Compare the probabilities, and name the known slips."""
    given = states, norm_weight, head, token
    found = expect.tensor(call(*given), (len(states),), seen=seen)
    known = [(through(*given, fault), words) for fault, words in FAULTS.items()]
    fault = "the probabilities are not those of the lens"
    expect.equal(found, through(*given), f"{seen}:", fault, known)


def model(draw, L: int, C: int, V: int):
    """Return states that grow from block to block, a norm's weight and a head."""
    states = torch.randn(L, C, generator=draw) * torch.arange(1, L + 1)[:, None] + 0.7
    return states, 0.5 + torch.rand(C, generator=draw), torch.randn(V, C, generator=draw)


@lens.property("each state gives the probability that the finished model would read from it")
def values(call, draw):
    """Drawn states, one state alone, several tokens."""
    for L, C, V, token in ((4, 6, 7, 3), (1, 5, 4, 0), (6, 8, 9, 8)):
        seen = f"for {L} states, C = {C}, V = {V}, token {token}"
        compare(call, *model(draw, L, C, V), token, seen)


@lens.property("the probabilities of all tokens sum to 1 after every block")
def sums(call, draw):
    """The whole vocabulary, token by token."""
    states, weight, head = model(draw, 3, 5, 6)
    rows = [expect.tensor(call(states, weight, head, token), (3,)) for token in range(6)]
    fault = "the probabilities of all tokens together are not 1"
    expect.equal(sum(rows), torch.ones(3).double(), "for V = 6:", fault)


@lens.property("it holds for states that are small, and for logits that are large")
def extremes(call, draw):
    """States of the size of the root of eps; a head a hundred times as large."""
    states, weight, head = model(draw, 3, 6, 5)
    compare(call, states * 1e-3, weight, head, 2, "for states of about 0.003")
    right = through(states, weight, 100 * head, 1)
    found = expect.tensor(call(states, weight, 100 * head, 1), (3,), seen="for a large head")
    # logits of some hundreds are exact to 1e-4 at best in float32
    expect.equal(found, right, "for a large head:", "large logits break it", tolerance=1e-2)
