"""Exercise 06.3: warm up, then cool down."""

import math

from helpers.exercises import expect
from helpers.exercises.checks.lesson_06.shared import pick
from helpers.exercises.exercise import Broken, Exercise
from helpers.training.schedules import cosine_rate

rate_at = Exercise(
    "06.3",
    "rate_at",
    title="Warm up, then cool down",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "Two pieces that meet at step == warmup. What is each one worth there?",
        "For steps = 10, start = 1, warmup = 2 the rates of steps 0, 1, 2, 6, 10 are 0, 0.5, 1, "
        "0.5, 0: step 6 is the middle of the way down.",
        "Before warmup: start * step / warmup. From there on the lesson's cosine, with "
        "step - warmup of steps - warmup.",
    ),
)


def rate(step: int, steps: int, start: float, warmup: int) -> float:
    """Return the right rate."""
    if step < warmup:
        return start * step / warmup
    return cosine_rate(step - warmup, steps - warmup, start)


@rate_at.property("the warm-up is a straight line from 0, and start comes at step == warmup")
def rate_up(call, draw):
    """All steps of the warm-up, its end included."""
    steps, start, warmup = pick(draw, 30, 40), 0.003, pick(draw, 4, 8)
    shown = f"steps = {steps}, start = {start:g}, warmup = {warmup}:"
    steps_up = range(warmup + 1)
    found = [expect.number(call(step, steps, start, warmup)) / start for step in steps_up]
    expect.equal(
        found,
        [step / warmup for step in steps_up],
        f"as shares of start, for {shown}",
        "the warm-up is not the line from 0 to start",
        known=(
            ([min(1, (step + 1) / warmup) for step in steps_up], "the warm-up is a step ahead"),
            ([step / (warmup + 1) for step in steps_up], "the warm-up is a step too long"),
            (
                [step / warmup for step in range(warmup)] + [cosine_rate(warmup, steps, 1.0)],
                "the cosine begins below start, since its steps are counted from 0",
            ),
            (
                [step / warmup * cosine_rate(step, steps, 1.0) for step in steps_up],
                "line and cosine are multiplied",
            ),
            ([cosine_rate(step, steps, 1.0) for step in steps_up], "there is no warm-up"),
        ),
    )


@rate_at.property("after the warm-up it falls along half a cosine, to 0 at step == steps")
def rate_down(call, draw):
    """The start, the quarters and the end of the way down; then every step of it."""
    quarter, start, warmup = pick(draw, 4, 6), 0.01, pick(draw, 2, 4)
    steps = warmup + 4 * quarter
    way = range(warmup, steps + 1, quarter)
    expect.equal(
        [expect.number(call(step, steps, start, warmup)) / start for step in way],
        [rate(step, steps, 1.0, warmup) for step in way],
        f"as shares of start, for steps = {steps}, warmup = {warmup} and the steps {list(way)}:",
        "the way down is not half a cosine from start to 0",
        known=(
            (
                [cosine_rate(step, steps, 1.0) for step in way],
                "the cosine counts its steps from 0, not from the end of the warm-up",
            ),
            (
                [cosine_rate(step - warmup, steps, 1.0) for step in way],
                "the cosine is stretched over all steps and ends above 0",
            ),
            ([1, 0.75, 0.5, 0.25, 0], "the way down is a line"),
            (
                [math.cos(math.pi * share / 4) for share in range(5)],
                "the cosine falls to -start: lift it by 1 and halve it",
            ),
            (
                [math.cos(math.pi * share / 8) for share in range(5)],
                "it is a quarter of a cosine's round: it still falls steeply at the end",
            ),
            ([1.0] * 5, "the rate stays at start"),
        ),
    )
    for step in range(warmup, steps + 1):
        expect.equal(
            expect.number(call(step, steps, start, warmup)) / start,
            rate(step, steps, 1.0, warmup),
            f"as a share of start, for step = {step}, steps = {steps}, warmup = {warmup}",
            "between the quarters of the way down it leaves the cosine",
        )


@rate_at.property("it is as exact for a tiny start as for a large one")
def rate_sizes(call, draw):
    """From a billionth to a million, up and down."""
    steps, warmup = 20, 4
    for start in (1e-9, 3e-6, 1e6):
        for step in (1, 2, 4, 8, 12, 19):
            seen = f"as a share of start, for start = {start:g}, step = {step}, steps = 20:"
            expect.equal(
                expect.number(call(step, steps, start, warmup)) / start,
                rate(step, steps, 1.0, warmup),
                seen,
                "a small rate is rounded away",
            )


@rate_at.property("without a warm-up it is the cosine of this lesson")
def rate_no_warmup(call, draw):
    """warmup = 0: no division by it."""
    steps = 4 * pick(draw, 2, 5)
    if call.error(0, steps, 0.5, 0) == "ZeroDivisionError":
        raise Broken("it divides by a warm-up of 0 steps", f"for step = 0, steps = {steps}")
    quarters = range(0, steps + 1, steps // 4)
    expect.equal(
        [expect.number(call(step, steps, 0.5, 0)) for step in quarters],
        [cosine_rate(step, steps, 0.5) for step in quarters],
        f"for steps = {steps}, start = 0.5, warmup = 0 and the steps {list(quarters)}:",
        "with no warm-up it differs from the lesson's cosine",
    )
