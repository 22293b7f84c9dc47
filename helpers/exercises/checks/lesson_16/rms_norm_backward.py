"""Exercise 16.5: the way back through an RMSNorm."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_16.shared import normal, rms_normed
from helpers.exercises.exercise import Broken, Exercise

rms_norm_backward = Exercise(
    "16.5",
    "rms_norm_backward",
    title="The way back through an RMSNorm",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Write y = x · r · w with r = 1 / sqrt(mean(x²) + eps). Each column of x acts on y in two "
        "ways: directly, and through r, which all columns share.",
        "With eps = 0 the gradient of x is at right angles to x at every position: a longer x "
        "gives the same y. And twice as long an x gets half the gradient.",
        "With g = gradient · weight: the gradient of x is r · (g - x · r² · mean(g · x)), the mean "
        "over the last axis with keepdim=True. That of weight is the sum of gradient · x · r over "
        "all axes but the last.",
    ),
)

ALONG = (
    "the gradient has a part along x, although a longer x gives the same y: how the root depends "
    "on x is left out or wrong"
)


def inputs(draw: torch.Generator) -> list[torch.Tensor]:
    """Return x [2, 3, 5], weight [5], and the gradient [2, 3, 5] that arrives."""
    return [normal(draw, 2, 3, 5) + 0.5, normal(draw, 5) / 2 + 1.5, normal(draw, 2, 3, 5)]


def asked(call, x, weight, gradient, eps: float, seen: str = "") -> list[torch.Tensor]:
    """Return both gradients, in float64."""
    found = expect.items(call(x, weight, gradient, eps), 2, seen)
    return [
        expect.tensor(found[0], x.shape, seen=f"the first item {seen}".strip()),
        expect.tensor(found[1], weight.shape, seen=f"the second item {seen}".strip()),
    ]


def right(x, weight, gradient, eps: float) -> list[torch.Tensor]:
    """Return both gradients by torch's own differentiation, in float64."""
    x, weight = x.double().requires_grad_(), weight.double().requires_grad_()
    return list(torch.autograd.grad(rms_normed(x, weight, eps), (x, weight), gradient.double()))


@rms_norm_backward.property("it is a list of two: of x's shape and of the weight's")
def backward_form(call, draw):
    """Also for one position alone."""
    x, weight, gradient = inputs(draw)
    asked(call, x, weight, gradient, 1e-5)
    asked(call, x[:1, :1], weight, gradient[:1, :1], 1e-5, "for one position")


@rms_norm_backward.property("the gradient of x is at right angles to x")
def right_angles(call, draw):
    """A longer x gives the same y, so no gradient may point along x."""
    x, weight, gradient = inputs(draw)
    along = (asked(call, x, weight, gradient, 1e-12)[0] * x.double()).sum(-1)
    if along.abs().max() > 1e-4:
        raise Broken(
            ALONG,
            f"for x of shape [2, 3, 5] and eps of nearly 0 the product is {along.flatten()[0]:.3f}",
        )


@rms_norm_backward.property("twice as long an x gets half the gradient")
def half(call, draw):
    """The gradient falls with the size of the stream."""
    x, weight, gradient = inputs(draw)
    once, twice = (asked(call, k * x, weight, gradient, 1e-12)[0] for k in (1, 2))
    expect.equal(twice, once / 2, "for x and 2 x:", "twice as long an x does not get half of it")


@rms_norm_backward.property("every position adds to the weight's gradient")
def adds_up(call, draw):
    """The whole against its positions one by one."""
    x, weight, gradient = inputs(draw)
    whole = asked(call, x, weight, gradient, 1e-5)[1]
    parts = [
        asked(call, x[b : b + 1, t : t + 1], weight, gradient[b : b + 1, t : t + 1], 1e-5)[1]
        for b in range(2)
        for t in range(3)
    ]
    expect.equal(
        whole,
        torch.stack(parts).sum(0),
        "for six positions together and one by one:",
        "the positions do not add up in the weight's gradient",
        known=(
            (torch.stack(parts).mean(0), "the weight's gradient is averaged over positions"),
            (torch.stack(parts).sum(0) / 2, "the weight's gradient is averaged over the texts"),
            (torch.stack(parts).sum(0) / 3, "the weight's gradient is averaged over one text"),
        ),
    )


def compare(call, x, weight, gradient, eps: float, seen: str) -> None:
    """Raise Broken unless both gradients are those of automatic differentiation; slips by name."""
    exact, w, up = x.double(), weight.double(), gradient.double()
    square = exact.pow(2).mean(-1, keepdim=True)
    r = 1 / (square + eps).sqrt()
    g = up * w
    found = asked(call, x, weight, gradient, eps, seen.rstrip(":"))
    for_x, for_weight = right(x, weight, gradient, eps)
    shared = exact * r**2 * (g * exact).mean(-1, keepdim=True)
    flat = exact * (g * exact).mean(-1, keepdim=True) / square.clamp(min=1e-30)
    size = max(1.0, float(for_x.abs().max()))
    slips = [
        (
            r * (up - exact * r**2 * (up * exact).mean(-1, keepdim=True)),
            "the weight is left out of x's gradient",
        ),
        (
            r * (g - exact * r**2 * (up * exact).mean(-1, keepdim=True)),
            "the weight is left out of the part that comes through the root",
        ),
        (g - shared, "x's gradient is not divided by the size of x"),
        (r * (g + shared), "the shared part has the wrong sign"),
        (r * g, ALONG),
        (
            r * (g - flat),
            "it is put at right angles to x for every eps: that holds for eps = 0 only",
        ),
    ]
    if bool((square > 0).all()):
        slips.append((right(x, weight, gradient, 0.0)[0], "eps is left out"))
    slips += [
        (right(x, weight, gradient, usual)[0], "it has an eps of its own")
        for usual in (1e-5, 1e-6, 1e-8)
        if usual != eps
    ]
    expect.equal(
        found[0] / size,
        for_x / size,
        f"{seen} gradient of x, in parts of its largest number",
        "the gradient of x is wrong",
        known=[(value / size, said) for value, said in slips],
    )
    expect.equal(
        found[1],
        for_weight,
        f"{seen} gradient of the weight",
        "the gradient of the weight is wrong",
        known=(
            ((up * exact).sum((0, 1)), "the weight meets the normalised x, not x itself"),
            ((up * exact * r * w).sum((0, 1)), "the weight's gradient has the weight in it"),
        ),
    )


@rms_norm_backward.property("both gradients are right, for x of any size")
def backward_values(call, draw):
    """Against automatic differentiation; a tiny x shows eps, a zero one 0 / 0."""
    sizes = ((1.0, 1e-5), (1e-2, 1e-3), (0.0, 1e-2), (1e-2, 1e-6), (1e3, 1e-5), (1.0, 0.5))
    for size, eps in sizes:
        x, weight, gradient = inputs(draw)
        seen = f"for numbers of about {size:g} and eps {eps:g}:"
        compare(call, x * size, weight, gradient, eps, seen)


@rms_norm_backward.property("zeros and single numbers are no trouble")
def backward_edges(call, draw):
    """A weight with zeros, a position of zeros, a gradient of zeros, one column."""
    x, weight, gradient = inputs(draw)
    weight[1], weight[3] = 0, -1
    seen = "for a weight with a 0 in it"
    found = expect.items(call(x, weight, gradient, 1e-5), 2, seen)
    if isinstance(found[1], torch.Tensor) and 0 < found[1].isnan().sum() < 5:
        raise Broken("a weight of 0 gives NaN: nothing is divided by the weight", seen)
    compare(call, x, weight, gradient, 1e-5, f"{seen}:")
    x[1, 2], gradient[0, 0] = 0, 0
    compare(call, x, weight, gradient, 1e-2, "for a position of zeros, and a gradient of zeros:")
    for shape in ((1, 1, 1), (3, 1, 2), (1, 4, 3)):
        x, gradient = normal(draw, *shape) + 0.5, normal(draw, *shape)
        given = x, normal(draw, shape[-1]), gradient
        compare(call, *given, 1e-1, f"for x of shape {list(shape)}:")
