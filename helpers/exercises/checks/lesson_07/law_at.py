"""Exercise 07.2: temperature from scratch."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_07.shared import INFINITY
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

law_at = Exercise(
    "07.2",
    "law_at",
    title="Temperature from scratch",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "Which property of softmax lets you move all logits before you divide, so that no power of "
        "e can become too large?",
        "After the largest logit is taken off, no logit is above 0. Then divide. What is e to the "
        "power of minus infinity? Temperature 0 needs a branch of its own, and so does a "
        "temperature that is none.",
        "largest = max(logits); powers = [math.exp((z - largest) / temperature) for z in logits]; "
        "divide each by their sum. Before it: `if not temperature >= 0: raise ValueError`, and for "
        "0 a list of 0.0 with 1.0 at logits.index(largest).",
    ),
)


def law_of(call, logits: list[float], temperature: float) -> list[float]:
    """Call the answer; return a list of numbers."""
    seen = f"for {show(logits)} at {temperature:g}"
    return expect.numbers(call(logits, temperature), len(logits), seen)


def softmax(logits: list[float]) -> list[float]:
    """Return the right law at temperature 1."""
    return torch.tensor(logits, dtype=torch.float64).softmax(dim=-1).tolist()


def random_logits(draw: torch.Generator, V: int) -> list[float]:
    """Return V logits."""
    return (2 * torch.randn(V, generator=draw, dtype=torch.float64)).tolist()


@law_at.property("it gives as many probabilities as logits, and they sum to 1")
def law_sums(call, draw):
    """A law."""
    for logits, temperature in (
        ([2.0, 0.0], 2),
        ([0.5], 1.0),
        (random_logits(draw, 6), 0.7),
        (random_logits(draw, 3), 3.0),
    ):
        law = law_of(call, logits, temperature)
        if min(law) < 0 or abs(sum(law) - 1) > 1e-6:
            raise Broken(
                "it gives no law: probabilities are 0 or more and sum to 1",
                f"for {show(logits)} at {temperature:g} it gives {show(law)}",
            )


@law_at.property("the law is softmax(logits / temperature)")
def law_values(call, draw):
    """[2, 0] at 2, and drawn ones."""
    for logits, T in (
        ([2.0, 0.0], 2),
        (random_logits(draw, 5), 0.5),
        (random_logits(draw, 4), 3.0),
        (random_logits(draw, 3), 1),
    ):
        right = softmax([z / T for z in logits])
        expect.equal(
            law_of(call, logits, T),
            right,
            f"for {show(logits)} at {T:g}:",
            known=(
                (softmax(logits), "the temperature has no effect on the law"),
                (softmax([z * T for z in logits]), "the logits are multiplied by the temperature"),
                (softmax([z / T**2 for z in logits]), "the temperature is applied twice"),
            ),
        )
    if call([1e300, 0.0], 1e-10) != [1.0, 0.0]:
        raise Broken(
            "a large logit at a small temperature goes wrong: subtract the largest before you "
            "divide",
            "for [1e300, 0] at 1e-10",
        )


@law_at.property("a constant added to all logits changes nothing, however large it is")
def law_constant(call, draw):
    """Also where a power of e alone would overflow or vanish."""
    logits = random_logits(draw, 4)
    for temperature in (0.5, 2.0):
        right = law_of(call, logits, temperature)
        for constant in (3.0, 1000.0, -1000.0):
            moved = [z + constant for z in logits]
            expect.equal(
                law_of(call, moved, temperature),
                right,
                f"for {show(moved)} at {temperature:g}:",
                "the law changes when a constant is added to all logits",
            )


@law_at.property("temperature 0 puts everything on the largest logit, of equal ones the first")
def law_zero(call, draw):
    """Greedy."""
    drawn = random_logits(draw, 5)
    low = [-INFINITY, -3.0, -5.0]
    for logits in ([1.0, 3.0, 3.0, 2.0, 3.0], [-4.0, -1.0, -2.0], [0.0, 0.0], low, drawn):
        largest = max(logits)
        ties = [place for place, z in enumerate(logits) if z == largest]

        def on(places, logits=logits):
            return [(place in places) / len(places) for place in range(len(logits))]

        expect.equal(
            law_of(call, logits, 0),
            on(ties[:1]),
            f"for {show(logits)} at 0:",
            "at temperature 0 not everything stands on the largest logit",
            known=(
                (softmax(logits), "temperature 0 is taken for temperature 1"),
                (on(ties[-1:]), "of equal logits the last one is taken at temperature 0"),
                (on(ties), "at temperature 0 equal logits share: greedy takes the first alone"),
            ),
        )


@law_at.property("neither a tiny temperature nor a logit of minus infinity does harm")
def law_extremes(call, draw):
    """1e-300 and -inf."""
    for logits, temperature, right in (
        ([2.875, 2.955, 11.0625], 1e-300, [0.0, 0.0, 1.0]),
        ([2.875, 2.955, 11.0625], 1e-45, [0.0, 0.0, 1.0]),
        ([5.0, 1.0, 5.0], 1e-300, [0.5, 0.0, 0.5]),
        ([-INFINITY, 1.0, 1.0], 2.0, [0.0, 0.5, 0.5]),
        ([-INFINITY, -3.0, -5.0], 1e-300, [0.0, 1.0, 0.0]),
        ([0.0, -INFINITY], 1e4, [1.0, 0.0]),
        ([-2e6, -INFINITY, -2e6], 1.0, [0.5, 0.0, 0.5]),
        ([0.0, -INFINITY], 1e30, [1.0, 0.0]),
    ):
        for number in (-1e4, -1e9, -1e30):
            if not expect.close(softmax([max(z, number) / temperature for z in logits]), right):
                heated = softmax([max(z, number) / temperature for z in logits])
                if not any(map(math.isnan, heated)) and expect.close(
                    law_of(call, logits, temperature), heated
                ):
                    raise Broken(
                        "minus infinity is taken for a large number, which heat brings to life",
                        f"for {show(logits)} at {temperature:g} it gives {show(heated)}",
                    )
        expect.equal(
            law_of(call, logits, temperature),
            right,
            f"for {show(logits)} at {temperature:g}:",
            "a tiny temperature, or a logit of minus infinity, gives a wrong law",
            known=(
                ([1.0, 0.0, 0.0], "a tiny temperature is taken for 0: equal logits still share"),
                ([1.0, 0.0, 1.0], "it gives no law: probabilities are 0 or more and sum to 1"),
                ([0.0, 1.0, 1.0], "it gives no law: probabilities are 0 or more and sum to 1"),
            ),
        )


@law_at.property("a temperature below 0, or NaN, is refused with ValueError")
def law_refuses(call, draw):
    """Impossible temperatures."""
    for temperature in (-1, -0.5, math.nan):
        raised = call.error([2.0, 0.0], temperature)
        if raised != "ValueError":
            raise Broken(
                "an impossible temperature is not refused with ValueError",
                f"for {temperature} it raised {raised or 'nothing'}",
            )
