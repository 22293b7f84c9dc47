"""Exercise 25.3: the largest batch that fits."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_25.shared import whole
from helpers.exercises.exercise import Exercise

largest_batch = Exercise(
    "25.3",
    "largest_batch",
    title="What fits",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Weights and both moments are there all the time: 12 bytes a number. What is there beside "
        "them at the start of the backward pass, and what at its end?",
        "Gradients and what was saved do not add up: the larger of the two counts. If the "
        "gradients do not fit, no batch does. A batch that fills the memory to the last byte fits.",
        "if 16*N > memory: return 0. Otherwise (memory - 12*N - fixed) // row, and no less than 0.",
    ),
)


def right(N: int, fixed: int, row: int, memory: int) -> int:
    """Return the rows of the largest batch."""
    if 16 * N > memory:
        return 0
    return max(0, (memory - 12 * N - fixed) // row)


def slips(N, fixed, row, memory) -> list[tuple[int, str]]:
    """Return what known slips give, each with its name."""
    rest = memory - 12 * N - fixed
    return [
        (max(0, (memory - 16 * N - fixed) // row), "gradients and what was saved are added up"),
        (max(0, rest // row), "the gradients alone do not fit"),
        (rest // row, "a batch cannot have fewer rows than none"),
        (max(0, int(rest / row)), "a division of floats loses the last digits"),
        (max(0, -(-rest // row)), "the last row does not fit any more"),
        (max(0, (rest - 1) // row), "a batch that fills the memory to the last byte fits"),
        (max(0, (memory - 12 * N) // row), "what is the same for every batch is left out"),
        (max(0, (memory - 4 * N - fixed) // row), "the two moments of the optimizer are left out"),
        (max(0, (memory - 8 * N - fixed) // row), "one of the two moments is left out"),
    ]


def try_sizes(call, all_sizes) -> None:
    """Compare for each (N, fixed, row, memory)."""
    for sizes in all_sizes:
        N, fixed, row, memory = sizes
        seen = f"for N = {N}, fixed = {fixed}, row = {row}, memory = {memory}"
        got = expect.whole(call(*sizes), seen)
        expect.equal(got, right(*sizes), seen, "it is another number", known=slips(*sizes))


@largest_batch.property("a batch that just fits is found, and none that does not")
def edges(call, draw):
    """One byte less, the very byte, one more."""
    for N, fixed, row, rows in ((10, 57, 7, 9), (100, 0, 400, 2), (1, 3, 1, 5)):
        exact = 12 * N + fixed + rows * row
        try_sizes(call, [(N, fixed, row, exact + more) for more in (0, -1, 1, row - 1)])


@largest_batch.property("where weights, moments and gradients do not fit, no batch does")
def nothing_fits(call, draw):
    """Around 16 N, and no room at all."""
    for N, row in ((1000, 10), (50, 3)):
        try_sizes(call, [(N, 0, row, 16 * N - 1), (N, 0, row, 16 * N), (N, 5, row, 12 * N)])
    try_sizes(call, [(1000, 10**6, 10, 20_000), (10, 100, 5, 160), (10, 0, 5, 0)])


@largest_batch.property("it finds the batch for any model, exactly")
def any_size(call, draw):
    """Drawn sizes, some of billions of bytes."""
    for large in (1, 10**6, 10**15):
        N, row = whole(draw, 5, 300) * large + 1, whole(draw, 5, 90) * large + 1
        fixed = whole(draw, 3, 9) * row
        for rows in (whole(draw, 4, 200), 300):
            base = max(16 * N, 12 * N + fixed + rows * row)
            try_sizes(call, [(N, fixed, row, base + whole(draw, 0, row - 1))])
            exact = 12 * N + fixed + (rows + 4 * N // row + 1) * row
            try_sizes(call, [(N, fixed, row, exact), (N, fixed, row, exact - 1)])
