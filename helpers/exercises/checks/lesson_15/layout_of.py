"""Exercise 15.5: which lanes did this stranger turn."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_15.shared import speeds, turned
from helpers.exercises.exercise import Broken, Exercise, WrongForm

layout_of = Exercise(
    "15.5",
    "layout_of",
    title="Which lanes are a pair?",
    minutes=15,
    level="hard",
    points=3,
    hints=(
        "You know neither base nor positions. But what stays the same about two numbers when they "
        "are turned together, by whatever angle?",
        "a * a + b * b of a pair never changes. Compare it before and after for lanes (0, 1), "
        "(2, 3) ... and for lanes (0, D/2), (1, D/2 + 1) ... With D = 2 there is one pair: say "
        '"both". If nothing was turned, both fit as well.',
        "pairs = x.view(T, -1, 2).pow(2).sum(-1), halves = x.view(T, 2, -1).pow(2).sum(1), the "
        "same for turned, and torch.allclose(..., atol=1e-4) for each.",
    ),
)
WORDS = ("pairs", "halves", "both", "neither")


def tables(draw: torch.Generator) -> list[tuple[str, str, torch.Tensor, torch.Tensor]]:
    """Return the right word, what was done, the vectors and what came out."""
    found = []
    for T, D, base in ((3, 8, 10_000.0), (1, 4, 100.0), (5, 12, 7.0)):
        x = torch.randn((T, D), generator=draw)
        at = torch.randperm(20, generator=draw)[:T] + 1
        angles = at[:, None] * speeds(D, base)
        for layout in ("pairs", "halves"):
            what = f"layout {layout!r}, D = {D}, base {base:g}"
            found.append((layout, what, x, turned(x, angles, layout)))
            found.append((layout, f"{what}, turned back", x, turned(x, -angles, layout)))
            partly = turned(x, angles, layout)
            partly[0] = x[0].double()  # one vector at position 0
            if T > 1:
                found.append((layout, f"{what}, the first vector at 0", x, partly))
        found.append(("both", "position 0 for all", x, x.double()))
        found.append(("neither", "lanes put in reverse order", x, x.double().flip(-1)))
        found.append(("neither", "twice as long", x, 2 * turned(x, angles, "pairs")))
        mixed = turned(turned(x, angles, "pairs"), angles, "halves")
        found.append(("neither", "turned in both ways, one after the other", x, mixed))
        far = turned(x, angles, "pairs")
        far[-1] = turned(x, angles, "halves")[-1]  # the last row was made by someone else
        if T > 1:
            found.append(("neither", "all rows in pairs, the last one in halves", x, far))
    x = torch.randn((4, 2), generator=draw)
    angles = torch.arange(1, 5)[:, None] * speeds(2)
    found.append(("both", "D = 2", x, turned(x, angles, "pairs")))
    return found


def verdict(call, x: torch.Tensor, after: torch.Tensor) -> str:
    """Return the answer's word, one of the four."""
    word = expect.text(call(x, after.float()), f"for vectors {list(x.shape)}")
    if word not in WORDS:
        raise WrongForm(
            "it returned another word than the four that are asked for", f"it returned {word!r}"
        )
    return word


FAULTS = {
    ("pairs", "halves"): "neighbouring lanes that were turned together are called halves",
    ("halves", "pairs"): "lanes half a head apart that were turned together are called pairs",
    ("pairs", "both"): "pairs alone fits, and it says both",
    ("halves", "both"): "halves alone fits, and it says both",
    ("pairs", "neither"): "a turn in pairs is not recognised",
    ("halves", "neither"): "a turn in halves is not recognised",
    ("both", "neither"): "a turn in both is not recognised",
    ("both", "pairs"): "where both layouts fit, it decides for pairs",
    ("both", "halves"): "where both layouts fit, it decides for halves",
    ("neither", "pairs"): "what was turned in no layout is called pairs",
    ("neither", "halves"): "what was turned in no layout is called halves",
    ("neither", "both"): "what was turned in no layout is called both",
}


def recognises(name: str):
    """Return a property's function: what was done in one way is recognised."""

    def function(call, draw):
        for right, what, x, after in tables(draw):
            if right != name:
                continue
            word = verdict(call, x, after)
            if word == right:
                continue
            raise Broken(FAULTS[right, word], f"{what}: it says {word!r}")

    return function


for kind in WORDS:
    layout_of.property(f'"{kind}" is recognised, at any positions and with any base')(
        recognises(kind)
    )
