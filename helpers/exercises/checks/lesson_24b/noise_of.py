"""Exercise 24b.7: the noise of batches."""

import math

import torch
from torch import Tensor

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

noise_of = Exercise(
    "24b.7",
    "noise_of",
    title="How noisy are batches?",
    minutes=12,
    level="hard",
    points=3,
    hints=(
        "The mean squared length of a batch's gradient is |G|^2 + S / B. Two sizes make two "
        "equations; solve them for |G|^2 and S.",
        "few = 1 with mean squared length 5, many = 4 with 2: S = (5 - 2) / (1 - 1/4) = 4, and "
        "|G|^2 = 5 - 4 = 1. The scale is 4.",
        "a, b = (x.square().sum(1).mean() for x in (small, large)); S = (a - b) / (1/few - "
        "1/many); G2 = (many*b - few*a) / (many - few); return S / G2 if G2 > 0, else infinity.",
    ),
)


def scale(a: float, b: float, few: int, many: int) -> float:
    """Return the noise scale of two mean squared lengths."""
    true = (many * b - few * a) / (many - few)
    return (a - b) / (1 / few - 1 / many) / true if true > 0 else math.inf


def compare(call, small: Tensor, large: Tensor, few: int, many: int, seen: str) -> None:
    """Compare relative to the size, and name the known slips."""
    a, b = (float(x.square().sum(dim=1).mean()) for x in (small, large))
    right = scale(a, b, few, many)
    got = expect.number(call(small, large, few, many), seen, infinite=True)
    ways = {
        "the square of the mean gradient is taken: asked is the mean of the squares": scale(
            *(float(x.mean(dim=0).square().sum()) for x in (small, large)), few, many
        ),
        "the mean length is squared: asked is the mean of the squared lengths": scale(
            *(float(x.norm(dim=1).mean() ** 2) for x in (small, large)), few, many
        ),
        "the noise is over |G|, not over its square": (
            right * math.sqrt(max(0.0, (many * b - few * a) / (many - few)))
        ),
        "it is the true gradient over the noise, upside down": 1 / right if right else math.inf,
        "the two sizes are exchanged": scale(a, b, many, few),
        "the gradient of the large batches is taken for the true one": (
            (a - b) / (1 / few - 1 / many) / b
        ),
        "it is the noise of a small batch, not of one row": (a - b)
        / (1 - few / many)
        / max(1e-300, (many * b - few * a) / (many - few)),
        "lengths are not squared": scale(
            *(float(x.norm(dim=1).mean()) for x in (small, large)), few, many
        ),
    }
    size = abs(right) if right and math.isfinite(right) else 1.0
    true = (many * b - few * a) / (many - few)
    if math.isinf(right):
        below = (a - b) / (1 / few - 1 / many) / true if true else math.nan
        known = [
            (below, "where |G|^2 comes out below 0 the scale has no sign, it is infinite"),
            (0.0, "where |G|^2 comes out as 0 or less the scale is infinite, not 0"),
        ]
    else:
        known = [(value / size, words) for words, value in ways.items()]
    wanted = right / size if math.isfinite(right) else right
    fault = "it is another scale"
    expect.equal(got / size, wanted, f"{seen}:", fault, known, 1e-3)


def lengths(draw: torch.Generator, squared: list[float], P: int = 5) -> Tensor:
    """Return gradients [n, P] with these squared lengths, in drawn directions."""
    x = torch.randn(len(squared), P, generator=draw, dtype=torch.float64)
    return x / x.norm(dim=1, keepdim=True) * torch.tensor(squared).double().sqrt()[:, None]


@noise_of.property("two sizes, two equations")
def two_sizes(call, draw):
    """Lengths that are known, unequal within a size, and several sizes."""
    for few, many in ((1, 4), (4, 32), (3, 7)):
        small, large = lengths(draw, [8.0, 3.0, 4.0]), lengths(draw, [3.0, 5.0, 3.5, 4.5])
        if (many, few) == (4, 1):
            small, large = lengths(draw, [7.0, 3.0, 5.0]), lengths(draw, [1.0, 3.0])
        compare(call, small, large, few, many, f"for batches of {few} and {many}")


@noise_of.property("the size of all gradients does not matter")
def any_size(call, draw):
    """A millionth and a million times as long; one number in each; one batch of each size."""
    for size in (1e-6, 1e6):
        small, large = lengths(draw, [6.0, 4.0]), lengths(draw, [3.0, 4.0])
        compare(call, small * size, large * size, 2, 8, f"for gradients {size:g} times as long")
    compare(call, lengths(draw, [6.0, 4.0], P=1), lengths(draw, [4.0], P=1), 2, 8, "for P = 1")


@noise_of.property("real batches: a mean and noise around it")
def real(call, draw):
    """Rows drawn around a gradient, and means of them."""
    true = torch.randn(20, generator=draw, dtype=torch.float64)
    rows = true + 2 * torch.randn(64, 32, 20, generator=draw, dtype=torch.float64)
    compare(call, rows[:, :4].mean(dim=1), rows.mean(dim=1), 4, 32, "for drawn batches")


@noise_of.property("no noise at all, and nothing but noise")
def ends(call, draw):
    """Equal lengths: 0. A true gradient that comes out as 0, or below: infinity."""
    # lengths whose squares and roots are whole, so no rounding decides between 0 and infinity
    four, two, one = (
        torch.tensor([numbers], dtype=torch.float64)
        for numbers in ([2.0, 2, 2, 2], [0.0, 2, 0, 0], [1.0, 0, 0, 0])
    )
    compare(call, torch.cat([four, -four]), four, 2, 8, "for equal lengths")
    compare(call, four, two, 2, 8, "for |G|^2 = 0")
    compare(call, torch.cat([four, -four]), one, 2, 8, "for |G|^2 below 0")
