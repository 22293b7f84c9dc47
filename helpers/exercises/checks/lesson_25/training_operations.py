"""Exercise 25.2: floating-point operations of training."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import whole
from helpers.exercises.exercise import Exercise

training_operations = Exercise(
    "25.2",
    "training_operations",
    title="What a step computes",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "A product of [n, k] and [k, m] takes n*k*m products and as many sums. Which products does "
        "a token take part in, and which does a pair of tokens?",
        "With L = 0 only the head is left: 6*B*T*C*V. Twice as long a text costs more than "
        "twice as much, by the pairs alone.",
        "matrices = L * (4*C*C + 2*C*h) + C*V numbers that each token is multiplied with. Pairs: "
        "L * 2*T*C for each token, scores and averages. 6 * B*T * (matrices + pairs).",
    ),
)


def right(B, T, V, C, L, h, factor=6, scores=2, head=True, table=0):
    """Return the operations; what is left out or counted too often is chosen."""
    matrices = L * (4 * C * C + 2 * C * h) + (C * V if head else 0) + table
    return factor * B * T * (matrices + L * scores * T * C)


def slips(B, T, V, C, L, h) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    sizes = B, T, V, C, L, h
    return [
        (right(*sizes, factor=2), "these are the operations of the forward pass alone"),
        (right(*sizes, factor=4), "backward takes twice as much as forward, not as much"),
        (right(*sizes, factor=3), "a product and a sum are two operations"),
        (right(*sizes, scores=0), "the pairs of attention are missing"),
        (right(*sizes, scores=1), "attention takes each pair twice: for a score, for an average"),
        (right(B, T, V, C, L, h, head=False), "the head is missing"),
        (right(*sizes, table=V * C), "the token table is looked up, and not multiplied"),
        (right(*sizes, table=T * C), "the table of positions is added, and not multiplied"),
        (right(B, T, V, C, L, 4 * C), "the hidden width is taken as four times C"),
        (right(1, T, V, C, L, h), "only one row of the batch is counted"),
        (
            6 * B * T * (L * (4 * C * C + 2 * C * h) + C * V) + 6 * L * 2 * T * C,
            "the pairs of one token are counted, not those of all",
        ),
        (
            6 * B * T * (L * (4 * C * C + 2 * C * h) + C * V) + 6 * L * B * T * (T + 1) * C,
            "hidden pairs are computed as well, and masked afterwards",
        ),
    ]


def try_sizes(call, all_sizes, name_faults: bool = True) -> None:
    """Compare for each (B, T, V, C, L, h).

    name_faults: not where sizes are so small that different faults give the same number.
    """
    for sizes in all_sizes:
        names = zip(("B", "T", "V", "C", "L", "h"), sizes, strict=True)
        seen = "for " + ", ".join(f"{name} = {size}" for name, size in names)
        got = expect.whole(call(*sizes), seen)
        known = slips(*sizes) if name_faults else ()
        expect.equal(got, right(*sizes), seen, "it is another number", known=known)


@training_operations.property("each token meets every matrix, and pairs of tokens meet twice")
def by_hand(call, draw):
    """Sizes that differ from each other, so that none stands for another."""
    try_sizes(call, ((7, 13, 101, 11, 5, 29), (1, 5, 31, 7, 1, 17)))
    try_sizes(call, ((1, 1, 1, 1, 1, 1), (2, 1, 3, 2, 4, 1)), name_faults=False)


@training_operations.property("without blocks the head is left")
def head_alone(call, draw):
    """L = 0."""
    try_sizes(call, ((1, 1, 1, 1, 0, 1), (3, 5, 7, 2, 0, 9)), name_faults=False)


@training_operations.property("it counts models of any size, to the last operation")
def any_size(call, draw):
    """Drawn sizes, and a large one."""
    for large in (1, 1, 500):
        B, T, V, C, L, h = (whole(draw, low, low + 9) for low in (7, 20, 150, 31, 2, 300))
        try_sizes(call, ((B, T * large, V, C * large, L, h * large + 1),))


@training_operations.property("huge counts are exact")
def huge(call, draw):
    """A step of more operations than a float can tell apart."""
    sizes = 1025, 2049, 50_257, 4099, 33, 16_387
    got = expect.whole(call(*sizes), "for a large model")
    near = abs(got - right(*sizes)) < 1e-9 * right(*sizes)
    fault = "a huge count is rounded: floats hold no whole numbers of that size"
    fault = fault if near else "it is another number"
    expect.equal(got, right(*sizes), "for a large model:", fault)
