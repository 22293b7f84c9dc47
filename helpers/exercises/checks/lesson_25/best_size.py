"""Exercise 25.5: the best size for a budget."""

import math

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import between, relative, whole
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

best_size = Exercise(
    "25.5",
    "best_size",
    title="The best size for a budget",
    minutes=15,
    level="hard",
    points=3,
    imports=("torch", "numpy"),
    hints=(
        "Put D = flops / (6 N) into the law: what is left is a function of N alone. Where is its "
        "slope 0?",
        "At the best N a little more or less must cost. There a*A/N**a and b*B/D**b are equal. "
        "With A = B and a = b the best N is the root of flops / 6.",
        "N = (a*A / (b*B)) ** (1 / (a + b)) * (flops / 6) ** (b / (a + b)).",
    ),
)


def right(A, B, a, b, flops, factor=6.0) -> float:
    """Return the N of least loss."""
    return math.exp(
        (math.log(a * A) - math.log(b * B) + b * (math.log(flops) - math.log(factor))) / (a + b)
    )


def slips(A, B, a, b, flops) -> list[tuple[float, str]]:
    """Return what known slips give, each with its name."""
    N = right(A, B, a, b, flops)
    D = flops / 6 / N
    return [
        (D, "this is D, the tokens: N is asked for"),
        (right(A, B, a, b, flops, 1), "an operation a parameter and token, where six are needed"),
        (right(A, B, a, b, flops, 2), "only the forward pass is paid for"),
        (right(A, B, b, a, flops), "the two exponents are exchanged"),
        (right(B, A, a, b, flops), "A and B are exchanged"),
        (right(A / a, B / b, a, b, flops), "a and b are missing in front of A and B"),
        ((flops / 6) ** (b / (a + b)), "A and B play no part"),
        (math.sqrt(flops / 6), "it takes the root of the budget, whatever the law"),
        (math.sqrt(flops / 120), "it takes twenty tokens a parameter, whatever the law"),
        (
            right(A, B, a, b, flops) ** 1 * (flops / 6) ** ((a - b) / (a + b)),
            "the budget's exponent is a / (a + b), where b stands above",
        ),
        (D / N, "this is D / N: N is asked for"),
    ]


def try_laws(call, laws) -> None:
    """Compare, relative to the size, for each (A, B, a, b, flops)."""
    for law in laws:
        A, B, a, b, flops = law
        seen = f"for A = {A:.4g}, B = {B:.4g}, a = {a:.3g}, b = {b:.3g}, flops = {flops:.3g}"
        got = expect.number(call(*law), seen)
        wanted = right(*law)
        if expect.close(relative([got], [wanted]), [1.0], 1e-4):
            continue
        fault = "it is not the N of least loss"
        for value, sentence in slips(*law):
            if math.isclose(got, value, rel_tol=1e-4):
                fault = sentence
                break
        raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(wanted)}")


@best_size.property("where both terms are alike, it is the root of a sixth of the budget")
def symmetric(call, draw):
    """A = B, a = b."""
    try_laws(call, ((5.0, 5.0, 0.5, 0.5, 600.0), (100.0, 100.0, 0.3, 0.3, 6e12)))


@best_size.property("it is the N of least loss for any law")
def any_law(call, draw):
    """Drawn laws, as they come from fits of small and of large models."""
    for _ in range(4):
        a, b = between(draw, 0.2, 0.6), between(draw, 0.7, 1.1)
        A, B = between(draw, 20, 500), between(draw, 600, 5000)
        flops = between(draw, 1, 9) * 10.0 ** whole(draw, 8, 12)
        try_laws(call, ((A, B, a, b, flops), (B, A, b, a, flops)))


@best_size.property("it finds Chinchilla's size by its printed law and by the refitted one")
def chinchilla(call, draw):
    """5.76e23 operations, and budgets a thousand times smaller and larger."""
    for flops in (5.76e23, 1e20, 1e26):
        try_laws(
            call,
            ((406.4, 410.7, 0.34, 0.28, flops), (482.01, 2085.43, 0.3478, 0.3658, flops)),
        )


@best_size.property("small budgets, and budgets that are whole numbers")
def odd_budgets(call, draw):
    """Less than one parameter, one and a half; a whole number beyond 2**64."""
    for law, fault in (
        ((1.0, 1.0, 0.5, 0.5, 1.5), "a size below 1 is raised to 1"),
        ((1.0, 1.0, 0.5, 0.5, 15.0), "the size is rounded to a whole number"),
        ((406, 410, 0.34, 0.28, 6 * 10**23), "a budget that is a large whole number breaks it"),
    ):
        seen = f"for flops = {law[-1]:.3g}"
        if call.error(*law):
            raise Broken(fault, seen)
        got, wanted = expect.number(call(*law), seen), right(*law)
        expect.equal(got / wanted, 1.0, f"{seen}, over the right one:", fault, tolerance=1e-4)
