"""Exercise 19.4: fold a value bias away, with grouped heads."""

import torch

from helpers.decoder.attention import attention, merge_heads, split_heads
from helpers.exercises import expect
from helpers.exercises.checks.lesson_19.shared import normal
from helpers.exercises.exercise import Exercise

folded = Exercise(
    "19.4",
    "folded",
    title="Fold a bias away",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "Attention averages values with weights that sum to 1. What is the average of things that "
        "all hold the same vector on top? And which heads get which piece of it?",
        "With H = G the answer is output.bias + output.weight @ value.bias. With fewer key/value "
        "heads the vector is too short: H // G neighbouring query heads read the same D numbers.",
        "D = columns of output.weight // H. value.bias.view(-1, D) is one row a key/value head; "
        "repeat_interleave(H // G, dim=0) makes one row a query head; flatten it, multiply, add.",
    ),
)


def drawn(draw: torch.Generator, C: int, H: int, G: int, D: int) -> dict[str, torch.Tensor]:
    """Return matrices and biases of an attention with grouped heads."""
    shapes = {"query": (H * D, C), "key": (G * D, C), "value": (G * D, C), "output": (C, H * D)}
    weights = {}
    for name, shape in shapes.items():
        weights[f"{name}.weight"] = normal(draw, *shape) / shape[1] ** 0.5
        weights[f"{name}.bias"] = normal(draw, shape[0])
    return weights


def attend(weights: dict, x: torch.Tensor, H: int) -> torch.Tensor:
    """Return what the attention says of x [B, T, C], every token seeing every one, in float64."""
    D = weights["output.weight"].shape[1] // H

    def linear(name: str, x: torch.Tensor) -> torch.Tensor:
        return x @ weights[f"{name}.weight"].double().T + weights[f"{name}.bias"].double()

    x = x.double()
    query, key, value = (
        split_heads(part, part.shape[-1] // D)
        for part in (linear(name, x) for name in ("query", "key", "value"))
    )
    return linear("output", merge_heads(attention(query, key, value)))


SIZES = ((12, 4, 2, 3), (8, 2, 2, 4), (6, 6, 3, 2), (8, 4, 1, 2))


@folded.property("it returns a dict with the same names and shapes")
def form(call, draw):
    """With grouped heads and without."""
    for C, H, G, D in SIZES:
        weights = drawn(draw, C, H, G, D)
        found = expect.table(call(weights, H), weights)
        for name, value in weights.items():
            expect.tensor(found[name], value.shape, seen=f"for H = {H}, G = {G}: {name}")


@folded.property("the value bias is 0, and only the output bias has changed besides")
def value_bias_is_gone(call, draw):
    """The other six as they were."""
    for C, H, G, D in SIZES[:2]:
        weights = drawn(draw, C, H, G, D)
        found = call(weights, H)
        gone = expect.tensor(found["value.bias"], (G * D,))
        fault = "the value bias is not 0"
        expect.equal(gone, torch.zeros(G * D).double(), f"for H = {H}, G = {G}:", fault)
        for name, value in weights.items():
            if name not in ("value.bias", "output.bias"):
                expect.equal(
                    found[name].double(),
                    value.double(),
                    f"for {name}:",
                    "something else than the two biases is changed",
                )


@folded.property("the output bias takes in what the value bias has given")
def output_bias(call, draw):
    """Against the right bias, and the slips by name."""
    for C, H, G, D in SIZES:
        weights = drawn(draw, C, H, G, D)
        exact = {name: value.double() for name, value in weights.items()}
        matrix, start = exact["output.weight"], exact["output.bias"]
        rows = exact["value.bias"].view(G, D)
        wide = rows.repeat_interleave(H // G, dim=0).flatten()  # [H * D]
        known = [
            (start, "what the value bias gave is lost: the output bias is as it was"),
            (start - matrix @ wide, "it is taken away, and not added"),
            (
                start + matrix @ rows.repeat(H // G, 1).flatten(),
                "the groups are in the wrong order: neighbouring query heads share "
                "a key/value head",
            ),
            (matrix @ wide, "the output bias that was there is lost"),
            (
                start + matrix[:, : G * D] @ rows.flatten(),
                "only the first heads are served: every query head reads a piece of the value bias",
            ),
            (
                start + matrix @ wide * (G / H),
                "each head's share is divided among the group: every head gets all of it",
            ),
        ]
        if matrix.shape[0] == matrix.shape[1]:
            known.append((start + matrix.T @ wide, "the output matrix is turned over"))
        if len(wide) == len(start):
            known.append((start + wide, "the bias passes through the output matrix first"))
        expect.equal(
            call(weights, H)["output.bias"].double(),
            start + matrix @ wide,
            f"for C = {C}, H = {H}, G = {G}, D = {D}:",
            "the output bias does not take in what the value bias gave",
            known,
        )


@folded.property("attention says what it said before, whatever it reads")
def same_answers(call, draw):
    """Run in both forms."""
    for C, H, G, D in SIZES:
        weights, x = drawn(draw, C, H, G, D), normal(draw, 2, 4, C)
        expect.equal(
            attend(call(weights, H), x, H),
            attend(weights, x, H),
            f"for C = {C}, H = {H}, G = {G}, D = {D}:",
            "attention says something else than before",
        )
