"""Exercise 15.5: which lanes did this stranger turn."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_15.shared import LAYOUTS, speeds, turned
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
        "same for turned, and torch.allclose(..., atol=1e-3) for each.",
    ),
)
WORDS = ("pairs", "halves", "both", "neither")
SIZES = ((3, 8, 10_000.0), (1, 4, 100.0), (5, 12, 7.0))  # T, D, base


Case = tuple[str, str, torch.Tensor, torch.Tensor, str]


def lengths(x: torch.Tensor, layout: str) -> torch.Tensor:
    """Return the length of each pair of lanes, [T, D/2], in float64."""
    T, D = x.shape
    shape, axis = ((T, D // 2, 2), 2) if layout == "pairs" else ((T, 2, D // 2), 1)
    return x.double().reshape(shape).norm(dim=axis)


def apart(x: torch.Tensor, after: torch.Tensor, layout: str) -> float:
    """Return by how much the length of a pair changes most."""
    return float((lengths(x, layout) - lengths(after, layout)).abs().max())


def clear(case: Case) -> bool:
    """Return whether lengths that are not equal differ by far more than what is allowed."""
    right, _, x, after, _ = case
    wrong = {"pairs": ["halves"], "halves": ["pairs"], "neither": LAYOUTS, "both": []}[right]
    return all(apart(x, after, layout) > 0.015 for layout in wrong)


def vectors(draw: torch.Generator, T: int, D: int) -> torch.Tensor:
    """Return vectors [T, D] with numbers of at most 2."""
    return torch.randn((T, D), generator=draw).clamp(-2, 2)


def made(draw: torch.Generator, T: int, D: int, base: float) -> list[Case]:
    """Return the right word, what was done, the vectors, what came out, and a fault's name."""
    x = vectors(draw, T, D)
    angles = (torch.randperm(20, generator=draw)[:T] + 1)[:, None] * speeds(D, base)
    found = []
    for layout in LAYOUTS:
        what = f"layout {layout!r}, T = {T}, D = {D}, base {base:g}"
        found.append((layout, what, x, turned(x, angles, layout), ""))
        found.append((layout, f"{what}, turned back", x, turned(x, -angles, layout), ""))
        partly = turned(x, angles, layout)
        partly[0] = x[0].double()  # one vector at position 0
        if T > 1:
            found.append((layout, f"{what}, the first vector at 0", x, partly, ""))
            first = x.double()
            first[0] = turned(x, angles, layout)[0]
            fault = "the first vector is not looked at"
            found.append((layout, f"{what}, all but the first at 0", x, first, fault))
    found.append(("both", f"position 0 for all, D = {D}", x, x.double(), ""))
    found.append(("neither", "lanes put in reverse order", x, x.double().flip(-1), ""))
    found.append(("neither", "twice as long", x, 2 * turned(x, angles, "pairs"), ""))
    mixed = turned(turned(x, angles, "pairs"), angles, "halves")
    found.append(("neither", "turned in both ways, one after the other", x, mixed, ""))
    if T > 1:
        far = turned(x, angles, "pairs")
        far[-1] = turned(x, angles, "halves")[-1]  # the last row was made by someone else
        fault = "rows of different layouts are given a word, and none fits them all"
        found.append(("neither", "all rows in pairs, the last one in halves", x, far, fault))
    return found


def single(draw: torch.Generator) -> list[Case]:
    """Return cases in which one number alone is wrong, in each pair of lanes and in a long text."""
    found = []
    for layout in LAYOUTS:
        for lane in range(8):
            x = vectors(draw, 3, 8)
            x[:, lane] += x[:, lane].sign() + 0.5
            after = turned(x, torch.ones(3, 1) * speeds(8), layout)
            after[int(torch.randint(0, 3, (), generator=draw)), lane] *= 1.5
            fault = "one pair of lanes that does not fit is overlooked"
            found.append(
                ("neither", f"layout {layout!r}, lane {lane} made longer", x, after, fault)
            )
    x = vectors(draw, 800, 8)
    x[:, 5] = 1.5
    after = x.double()
    after[int(torch.randint(1, 800, (), generator=draw)), 5] += 0.05
    fault = "one vector among many that does not fit is overlooked: an average hides it"
    return [*found, ("neither", "800 vectors, one lane of one made longer", x, after, fault)]


def tables(draw: torch.Generator) -> list[Case]:
    """Return all cases, each drawn again until its lengths are equal or clearly are not."""
    found = []
    for make in (
        *(lambda size=size: made(draw, *size) for size in SIZES),
        lambda: single(draw),
    ):
        cases = make()
        while not all(map(clear, cases)):
            cases = make()
        found += cases
    x = vectors(draw, 4, 2)
    angles = torch.arange(1, 5)[:, None] * speeds(2)
    found.append(("both", "D = 2", x, turned(x, angles, "pairs"), ""))
    x = vectors(draw, 2, 6)
    x[0], x[1, 2] = 0, 0
    found.append(("both", "position 0 for all, one vector of zeros", x, x.double(), ""))
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
        for right, what, x, after, fault in tables(draw):
            if right != name:
                continue
            word = verdict(call, x, after)
            if word != right:
                raise Broken(fault or FAULTS[right, word], f"{what}: it says {word!r}")
        for right, what, x, after, _ in tables(draw):  # a few thousandths of a thousandth off
            noise = (torch.rand(x.shape, generator=draw) - 0.5) * 1e-5
            if right == name and verdict(call, x, after + noise) != right:
                raise Broken("the last digits decide: allow differences of 0.0001", what)

    return function


for kind in WORDS:
    layout_of.property(f'"{kind}" is recognised, at any positions and with any base')(
        recognises(kind)
    )
