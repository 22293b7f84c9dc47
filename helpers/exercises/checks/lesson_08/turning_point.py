"""Exercise 08.4: where the lengths cross."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

turning_point = Exercise(
    "08.4",
    "turning_point",
    title="Where the lengths cross",
    minutes=10,
    level="medium",
    points=2,
    imports=("math",),
    hints=(
        "At the turning point the two scores are equal. Write that as an equation with α as the "
        "only unknown. Where does α stand?",
        "Divide one side by the other: a / b = (m / n)^α. Both ratios lie between 0 and 1, so α is "
        "above 0. Twice the log-probabilities, or twice the lengths, give the same α.",
        "Take logarithms of both sides: α = math.log(a / b) / math.log(m / n).",
    ),
)


def random_texts(draw: torch.Generator) -> tuple[float, int, float, int]:
    """Return a, m, b, n with b < a < 0 and m < n."""
    a = -0.5 - 3 * float(torch.rand((), generator=draw))
    m = int(torch.randint(1, 6, (), generator=draw))
    n = m + int(torch.randint(2, 8, (), generator=draw))
    return a, m, a * (1.1 + float(torch.rand((), generator=draw))), n


@turning_point.property("on the lesson's two texts it lies between 0.1 and 0.15")
def turning_lesson(call, draw):
    """plus, and a large plus in the photo."""
    arguments = math.log(0.25), 2, math.log(0.20), 7
    alpha = expect.number(call(*arguments), f"for {arguments}")
    if not 0.1 < alpha < 0.15:
        raise Broken(
            "on the lesson's two texts α is not between 0.1 and 0.15", f"it is {alpha:.4g}"
        )


@turning_point.property("at this α the scores of the two texts are equal")
def turning_equal(call, draw):
    """The value, and the usual slips."""
    for a, m, b, n in (
        (-1.0, 2, -2.5, 9),
        (-1.0, 1, -1.5, 3),
        (-1.0, 2, -3.0, 4),
        (-4.0, 3, -4.4, 12),
        (-800.0, 100, -900.0, 300),
        random_texts(draw),
        random_texts(draw),
    ):
        ratio, lengths = math.log(a / b), math.log(m / n)
        expect.equal(
            expect.number(call(a, m, b, n), f"for {a:g}, {m}, {b:g}, {n}"),
            ratio / lengths,
            f"for a text of {a:.4g} with {m} tokens and one of {b:.4g} with {n}:",
            "the scores are not equal at this α",
            known=(
                (-ratio / lengths, "its sign is turned: one of the two ratios stands upside down"),
                (lengths / ratio, "α stands upside down"),
                ((a / b) / (m / n), "the logarithms are missing: α is a power"),
                ((a - b) / lengths, "ln P is treated like P: a score is ln P / length^α, and a "
                 "and b are ln P already"),
                ((a - b) / (m - n), "it is the point for a penalty of α for every token"),
                (ratio / math.log((5 + m) / (5 + n)), "it is the point for ((5 + length) / 6)^α"),
            ),
        )  # fmt: skip


@turning_point.property("twice the log-probabilities, or twice the lengths, give the same α")
def turning_ratios(call, draw):
    """Only the two ratios count."""
    a, m, b, n = random_texts(draw)
    alpha = expect.number(call(a, m, b, n))
    both = "α changes with twice the log-probabilities: only their ratio counts"
    lengths = "α changes with twice the lengths: only their ratio counts"
    for name, fault, arguments in (
        ("log-probabilities", both, (2 * a, m, 2 * b, n)),
        ("lengths", lengths, (a, 2 * m, b, 2 * n)),
    ):
        expect.equal(
            expect.number(call(*arguments)),
            alpha,
            f"for {a:.4g}, {m}, {b:.4g}, {n} and twice the {name}:",
            fault,
        )
