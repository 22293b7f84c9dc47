"""A tiny exercise, and answers to it, for the tests of what runs and checks answers."""

import torch

from helpers.exercises import expect
from helpers.exercises.answers import Answer
from helpers.exercises.exercise import Exercise

RIGHT = "import torch\n\n\ndef twice(x):\n    return 2 * x\n"
STUB = 'import torch\n\n\ndef twice(x):\n    """Return twice the tensor."""\n    ...\n'


def exercise(*properties, **changes) -> Exercise:
    """Return the exercise "twice the tensor", or one with other properties: (text, function)."""
    facts = {
        "id": "03.3",
        "function": "twice",
        "title": "Twice the tensor",
        "minutes": 2,
        "level": "warm-up",
        "points": 2,
        "hints": ("Think of a sum.", "Test it with zeros.", "return x + x"),
        "seconds": 20,
    }
    made = Exercise(**{**facts, **changes})
    for text, function in properties or (("it has the form of x", form), ("it is twice x", value)):
        made.property(text)(function)
    return made


def form(call, draw):
    """Ask for the shape of x."""
    for length in (1, 3):
        expect.tensor(call(torch.randn(length, generator=draw)), (length,), seen=f"for {length}")


def value(call, draw):
    """Ask for twice the values."""
    x = torch.randn(4, generator=draw)
    expect.equal(
        expect.tensor(call(x), (4,)),
        2 * x.double(),
        "for 4 numbers:",
        known=((x.double() ** 2, "it is the square, not twice the number"),),
    )


def answer(body: str, before: str = "import torch\n\n\n") -> Answer:
    """Return an answer whose function does this, in one or more lines."""
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    return Answer(f"{before}def twice(x):\n{lines}", "twice")
