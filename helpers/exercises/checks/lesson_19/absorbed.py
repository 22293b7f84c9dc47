"""Exercise 19.3: a norm without weights."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_19.shared import (
    llama_config,
    llama_weights,
    normal,
    run_llama,
)
from helpers.exercises.exercise import Broken, Exercise, WrongForm

absorbed = Exercise(
    "19.3",
    "absorbed",
    title="A norm without weights",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "What a norm gives is stretched column by column, and then goes straight into matrices. "
        "Which ones read attention_norm, and which ones feed_forward_norm?",
        "For a single number: (x * w) @ m is x @ (w * m). A matrix is stored [out, in]: the "
        "stretch belongs to what comes in.",
        "weights[name] * weight_of_the_norm, which stretches columns, for query, key and value, "
        "and with the other norm for gate and widen. Then both norms become torch.ones_like.",
    ),
)

NORMS = ("attention_norm.weight", "feed_forward_norm.weight")
READERS = {
    "attention.query.weight": NORMS[0],
    "attention.key.weight": NORMS[0],
    "attention.value.weight": NORMS[0],
    "feed_forward.gate.weight": NORMS[1],
    "feed_forward.widen.weight": NORMS[1],
}


def drawn(draw: torch.Generator):
    """Return the configuration and weights of a block with C = H * D = 8 and hidden width 8."""
    config = llama_config(C=8, H=2, G=2, hidden=8)  # all matrices square: no shape helps
    return config, llama_weights(draw, config)


@absorbed.property("it returns a dict with the same names and shapes")
def form(call, draw):
    """Names, shapes, finite numbers."""
    for shape in ((8, 2, 2, 8), (8, 4, 2, 12)):
        weights = llama_weights(draw, llama_config(*shape))
        found = expect.table(call(weights), weights)
        for name, value in weights.items():
            expect.tensor(found[name], value.shape, seen=f"for {name}")


@absorbed.property("the weights of both norms are 1 afterwards")
def norms_are_ones(call, draw):
    """Each norm on its own."""
    _, weights = drawn(draw)
    found = call(weights)
    for name in NORMS:
        value = expect.tensor(found[name], (8,), seen=f"for {name}")
        if torch.equal(value, weights[name].double()):
            raise Broken("a norm keeps its weights: what is absorbed must be gone", f"for {name}")
        expect.equal(value, torch.ones(8).double(), f"for {name}:", "a norm's weights are not 1")


@absorbed.property("every matrix that reads a norm is stretched by it, and no other one is changed")
def matrices(call, draw):
    """One matrix at a time, with the slips by name."""
    for shape in ((8, 2, 2, 8), (8, 4, 2, 12)):
        weights = llama_weights(draw, llama_config(*shape))
        found = call(weights)
        exact = {name: value.double() for name, value in weights.items()}
        for name, value in exact.items():
            if name in NORMS:
                continue
            if name not in READERS:
                fault = "a matrix that writes into the stream is changed: it reads no norm"
                expect.equal(found[name].double(), value, f"for {name}:", fault)
                continue
            norm = exact[READERS[name]]
            other = exact[NORMS[1 - NORMS.index(READERS[name])]]
            known = [
                (value, "a matrix that reads the norm is left as it was"),
                (value / norm, "it divides by the norm's weights: what the norm did must go on"),
                (value * other, "it takes the weights of the other norm"),
                (value * norm**2, "it stretches twice"),
            ]
            if value.shape[0] == len(norm):
                known.append((norm[:, None] * value, "it stretches rows, which are what comes out"))
            expect.equal(
                found[name].double(),
                value * norm,
                f"for {name}:",
                "a matrix is not stretched by the norm that it reads",
                known,
            )


@absorbed.property("a norm's weights may be negative, or 0")
def odd_weights(call, draw):
    """A sign that must go over into the matrices; a weight of 0."""
    _, weights = drawn(draw)
    for name in NORMS:
        weights[name][:3] = torch.tensor([-1.5, 0.0, -0.5])
    found = call(weights)
    for name in NORMS:
        value = expect.tensor(found[name], (8,), seen=f"for {name} with a weight of 0")
        expect.equal(value, torch.ones(8).double(), f"for {name}:", "a weight of 0 breaks it")
    for name, norm in READERS.items():
        right = weights[name].double() * weights[norm].double()
        fault = "the sign of a norm's weight is lost"
        expect.equal(found[name].double(), right, f"for {name}:", fault)


@absorbed.property("the block gives the numbers that it gave before")
def same_block(call, draw):
    """Run in both forms."""
    config, weights = drawn(draw)
    found = call(weights)
    try:
        found = {name: found[name].double() for name in weights}
    except (KeyError, TypeError, AttributeError):
        raise WrongForm("it is no dict of tensors") from None
    x = normal(draw, 1, 5, 8)
    expect.equal(
        run_llama(config, found, x),
        run_llama(config, weights, x),
        "for T = 5, C = 8:",
        "the block gives other numbers than before",
    )
