"""Exercise 22.3: a product in 8 bits."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

int8_product = Exercise(
    "22.3",
    "int8_product",
    title="A product in 8 bits",
    minutes=10,
    level="medium",
    points=3,
    hints=(
        "One number for each row of the matrix: over which axis is its largest absolute value "
        "taken? When does the product meet that number?",
        "The largest weight of a row gets 127 or -127. A row made ten times larger has the same "
        "codes. A row of zeros has scale 0, and 0 / 0 is NaN: its codes are 0.",
        "scales = weight.abs().amax(dim=1) / 127; codes = (weight / scales[:, None]).round(), with "
        "0 where the scale is 0; product = (x @ codes.T) * scales.",
    ),
)

KEYS = ("codes", "scales", "product")


def rounded(weight: torch.Tensor, scales: torch.Tensor) -> torch.Tensor:
    """Return the nearest whole steps, 0 where the step is 0, in float64."""
    return torch.where(scales == 0, 0.0, weight / scales).round()


def answer(call, x: torch.Tensor, weight: torch.Tensor, seen: str) -> list[torch.Tensor]:
    """Return codes, scales and product, each of its form."""
    found = expect.table(call(x, weight), KEYS, seen)
    (B, _), (N, K) = x.shape, weight.shape
    return [
        expect.tensor(found["codes"], (N, K), "int", f"{seen}, in 'codes'"),
        expect.tensor(found["scales"], (N,), "float", f"{seen}, in 'scales'"),
        expect.tensor(found["product"], (B, N), "float", f"{seen}, in 'product'"),
    ]


def compare(call, x: torch.Tensor, weight: torch.Tensor, seen: str) -> None:
    """Compare all three, and name the known slips."""
    codes, scales, product = answer(call, x, weight, seen)
    x, weight = x.double(), weight.double()
    largest = weight.abs().amax(1)
    expect.equal(
        scales,
        largest / 127,
        f"{seen}, in 'scales':",
        "a scale is not its row's largest absolute value over 127",
        known=(
            (weight.abs().max().expand(len(weight)) / 127, "one scale serves the whole matrix"),
            (weight.amax(1) / 127, "the largest weight is taken: a negative one may be larger"),
            (largest / 128, "128 steps: the largest code is 127"),
            (largest, "the scale is the largest value itself, not a step"),
            (127 / weight.abs().amax(1), "the scale is turned upside down"),
        ),
    )
    right = rounded(weight, (largest / 127)[:, None])
    missed = right - codes
    if missed.any() and (missed.abs() <= 1).all():  # ends may lie just below 127 in float32
        if (codes.abs() <= right.abs()).all():
            fault = "the codes are cut off, not rounded"
            raise Broken(fault, f"{seen} {show(weight[0])} gets {show(codes[0])}")
        if (missed >= 0).all():
            fault = "the codes are rounded down: the nearest is asked for"
            raise Broken(fault, f"{seen} {show(weight[0])} gets {show(codes[0])}")
    expect.equal(
        codes,
        right.long(),
        f"{seen}, in 'codes':",
        "the codes are not the nearest whole numbers of steps",
        known=((right.long() + 127, "codes are counted from the lowest: here they are around 0"),),
    )
    expect.equal(
        product,
        (x @ right.T) * largest / 127,
        f"{seen}, in 'product':",
        "the product is not that of x with codes times scales",
        known=(
            (x @ weight.T, "the product is made of the weights as they were before rounding"),
            (x @ right.T, "the scales are missing in the product"),
        ),
    )


def matrices(draw: torch.Generator, B: int, N: int, K: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return x and a weight whose every entry lies clearly nearer to one step than to another."""
    whole = torch.randint(-126, 127, (N, K), generator=draw)
    column = torch.randint(0, K, (N,), generator=draw)
    side = 1 - 2 * torch.randint(0, 2, (N,), generator=draw)
    aside = 0.7 * torch.rand(N, K, generator=draw) - 0.35  # of a step
    steps = whole + aside
    steps[torch.arange(N), column] = 127.0 * side
    step = 0.002 + 0.02 * torch.rand(N, 1, generator=draw)
    return torch.randn(B, K, generator=draw), steps * step


@int8_product.property("it gives whole codes, a scale for each row, and the product")
def form(call, draw):
    """Two different numbers of rows."""
    answer(call, *matrices(draw, 2, 3, 5), "for a matrix of 3 x 5")


@int8_product.property("each row has its own scale, and codes are the nearest steps of it")
def values(call, draw):
    """Drawn matrices, one of them with a row of large weights."""
    for B, N, K in ((1, 4, 6), (3, 5, 8)):
        x, weight = matrices(draw, B, N, K)
        weight[1] *= 30
        compare(call, x, weight, f"for a matrix of {N} x {K}")


@int8_product.property("a large row leaves the codes of the others alone")
def rows_alone(call, draw):
    """The same matrix with one row a hundred times larger."""
    x, weight = matrices(draw, 2, 4, 6)
    seen = "for a row made 100 times larger"
    before = answer(call, x, weight, "for a matrix of 4 x 6")[0]
    weight[2] *= 100
    after = answer(call, x, weight, seen)[0]
    if not torch.equal(before, after):
        raise Broken("other codes come out when one row is made larger", seen)


@int8_product.property("a row of zeros gives zeros")
def zeros(call, draw):
    """One row of zeros among others, and all."""
    x, weight = matrices(draw, 2, 3, 4)
    weight[1] = 0
    compare(call, x, weight, "for a matrix with a row of zeros")
    compare(call, x, torch.zeros(3, 4), "for a matrix of zeros")


@int8_product.property("tiny and huge rows have 127 steps as well")
def any_size(call, draw):
    """Rows a ten-millionth and a million times as large as their neighbours."""
    x, weight = matrices(draw, 2, 3, 5)
    codes = answer(call, x, weight, "for a matrix of 3 x 5")[0]
    weight = weight * torch.tensor([[1e-7], [1.0], [1e6]])
    found = answer(call, x, weight, "for rows of very different size")[0]
    fault = "a tiny or huge row gets other codes: its steps are its own"
    expect.equal(found, codes, "for rows of very different size:", fault)
