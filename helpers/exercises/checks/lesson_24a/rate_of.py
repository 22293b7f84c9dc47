"""Exercise 24a.2: the rate of a step."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.training.schedules import Schedule

rate_of = Exercise(
    "24a.2",
    "rate_of",
    title="The rate of a step",
    minutes=10,
    level="medium",
    points=3,
    imports=("math",),
    hints=(
        "Three stretches: the warm-up, what follows, and for wsd the last steps. From which step "
        "on does each of them count its own steps?",
        "For steps = 6, warm = 3, decay = 1 a wsd has 1/4, 1/2, 3/4, 1, 1, 1/2. A cosine of 4 "
        "steps without warm-up has 1, 0.854, 0.5, 0.146.",
        "step < warm: (step + 1) / (warm + 1). cosine: 0.5 * (1 + math.cos(math.pi * "
        "(step - warm) / (steps - warm))). wsd: with left = steps - step, left / (decay + 1) "
        "where left <= decay, else 1.",
    ),
)


def right(step: int, steps: int, warm: int, decay: int, kind: str) -> float:
    """Return the right share: that of the helper, with peak 1."""
    return Schedule(1.0, steps, kind, warm=warm, decay=decay).rate(step)


def pick(draw: torch.Generator, low: int, high: int) -> int:
    """Return a drawn whole number, both ends included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def compare(call, at: list[int], run: tuple, fault: str, known: dict[str, list]) -> None:
    """Compare the rates at some steps of a run."""
    steps, warm, decay, kind = run
    shown = f"for steps = {steps}, warm = {warm}, decay = {decay}, {kind!r}"
    found = []
    for step in at:
        if call.error(step, *run) == "ZeroDivisionError":
            raise Broken("it divides by a stretch of 0 steps", f"{shown}, step {step}")
        found.append(expect.number(call(step, *run), f"{shown}, step {step}"))
    expect.equal(
        found,
        [right(step, *run) for step in at],
        f"{shown} and the steps {at if len(at) < 8 else f'{at[0]} to {at[-1]}'}:",
        fault,
        [(values, words) for words, values in known.items()],
    )


@rate_of.property("the warm-up rises straight, from above 0, to the peak at step `warm`")
def up(call, draw):
    """All steps of the warm-up and the one behind, for both kinds."""
    for kind in ("cosine", "wsd"):
        warm = pick(draw, 3, 7)
        at = list(range(warm + 1))
        run = (warm + pick(draw, 12, 20), warm, 0 if kind == "cosine" else 3, kind)
        compare(
            call,
            at,
            run,
            "the warm-up is not the asked line",
            {
                "the warm-up begins at 0, so the first step is lost": [s / warm for s in at],
                "the peak comes a step too soon": [min(1, (s + 1) / warm) for s in at],
                "there is no warm-up": [1.0 for _ in at],
                "the cosine counts from step 0, and begins below the peak": [
                    *((s + 1) / (warm + 1) for s in at[:-1]),
                    0.5 * (1 + math.cos(math.pi * warm / run[0])),
                ],
            },
        )


@rate_of.property("behind the warm-up the cosine falls over the steps that are left")
def cosine(call, draw):
    """Every step behind the warm-up; and no warm-up at all."""
    for warm in (pick(draw, 3, 6), 0):
        n = pick(draw, 9, 14)
        at, steps = list(range(warm, warm + n)), warm + n
        if warm == 0:
            known = {}
        else:
            known = {
                "the cosine counts from step 0, and begins below the peak": [
                    0.5 * (1 + math.cos(math.pi * s / steps)) for s in at
                ],
                "the cosine is stretched over all steps, and does not come down": [
                    0.5 * (1 + math.cos(math.pi * (s - warm) / steps)) for s in at
                ],
            }
        known |= {
            "the last step has rate 0, and is lost": [
                0.5 * (1 + math.cos(math.pi * (s - warm) / (n - 1))) for s in at
            ],
            "the way down is a line": [1 - (s - warm) / n for s in at],
        }
        fault = "behind the warm-up it leaves the cosine"
        compare(call, at, (steps, warm, 0, "cosine"), fault, known)


@rate_of.property("wsd stays at the peak until the last steps, then falls straight")
def wsd(call, draw):
    """Every step behind the warm-up."""
    for warm in (pick(draw, 2, 5), 0):
        decay, stable = pick(draw, 3, 6), pick(draw, 4, 7)
        steps = warm + stable + decay
        at = list(range(warm, steps))
        compare(
            call,
            at,
            (steps, warm, decay, "wsd"),
            "it is not 1, and then the asked line",
            {
                "the decay starts at once, with no stable stretch": [
                    (steps - s) / (steps - warm) for s in at
                ],
                "the decay starts at once, and takes until the end": [
                    (steps - s) / (steps - warm + 1) for s in at
                ],
                "the last step has the rate 0": [min(1, (steps - s - 1) / decay) for s in at],
                "the decay starts a step late": [min(1, (steps - s) / decay) for s in at],
                "it never decays": [1.0 for _ in at],
                "the decay is half a cosine": [
                    1.0
                    if steps - s > decay
                    else 0.5 * (1 + math.cos(math.pi * (1 - (steps - s) / decay)))
                    for s in at
                ],
            },
        )


@rate_of.property("stretches of no step, and of all steps")
def ends(call, draw):
    """No decay, all warm-up, all decay, warm-up and decay that meet, one step."""
    n = pick(draw, 4, 9)
    fault = "a run whose stretches are empty or fill all goes wrong"
    for run in ((n, 2, 0, "wsd"), (n, n, 0, "wsd"), (n, n, 0, "cosine"), (n, 0, n, "wsd")):
        compare(call, list(range(n)), run, fault, {})
    step = {
        "between warm-up and decay a step is at the peak, though there is none to spare": [
            0.25,
            0.5,
            0.75,
            1.0,
            *((n - s) / (n - 2) for s in range(4, n)),
        ]
    }
    compare(call, list(range(n)), (n, 3, n - 3, "wsd"), fault, step)
    for run in ((1, 0, 0, "wsd"), (1, 0, 0, "cosine"), (1, 0, 1, "wsd")):
        compare(call, list(range(run[0])), run, fault, {})
