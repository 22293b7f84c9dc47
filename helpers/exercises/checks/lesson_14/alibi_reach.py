"""Exercise 14.1: how far a head with ALiBi looks."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

alibi_reach = Exercise(
    "14.1",
    "alibi_reach",
    title="How far does it look?",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    seconds=5,
    hints=(
        "Softmax takes powers of e. What does subtracting slope * distance from a score do to its "
        "power?",
        "With a slope of ln 2 the factor halves with every token. So a share of 0.5 is reached at "
        "distance 1, one of 0.24 at distance 3, and one of 1 at distance 0.",
        "The factor is exp(-slope * distance). It is at most the share from "
        "math.log(1 / share) / slope on; distances are whole, so round up.",
    ),
)


def right(slope: float, share: float) -> int:
    """Return the first distance whose factor is at most the share."""
    return math.ceil(math.log(1 / share) / slope)


def cases(draw: torch.Generator) -> list[tuple[float, float]]:
    """Return slopes and shares: the lesson's, and drawn ones."""
    drawn = torch.rand(6, generator=draw).tolist()
    pairs = [(0.25, 0.05), (0.0625, 0.05), (0.00390625, 0.5), (0.5, 0.01), (2.0, 0.9)]
    return [
        *pairs,
        *((0.02 + a, 0.01 + 0.9 * b) for a, b in zip(drawn[:3], drawn[3:], strict=True)),
    ]


@alibi_reach.property("it is a whole number, and 0 where nothing has to fall")
def reach_form(call, draw):
    """A share of 1 is reached at once."""
    for slope in (0.25, 1.0):
        seen = f"for slope {slope} and share 1.0"
        got = expect.whole(call(slope, 1.0), seen)
        expect.equal(got, 0, seen, "at distance 0 the factor is 1 already")


@alibi_reach.property("at that distance the factor is at most the share, and one before it is not")
def reach_edge(call, draw):
    """The definition itself, with the usual slips by name."""
    for slope, share in cases(draw):
        seen = f"for slope {slope:.4g} and share {share:.4g}"
        got = expect.whole(call(slope, share), seen)
        steps = math.log(1 / share) / slope
        expect.equal(
            got,
            right(slope, share),
            seen,
            "it is another distance than the first one with so small a factor",
            known=(
                (math.floor(steps), "there the factor is still above the share: round up"),
                (math.ceil(steps) + 1, "one token earlier the factor is small enough already"),
                (math.ceil(math.log2(1 / share) / slope), "softmax takes powers of e, not of 2"),
                (
                    math.ceil((1 - share) / slope),
                    "the factor is not 1 - slope * distance: the score falls so, not its power",
                ),
                (math.ceil(math.log(1 / share) * slope), "a steeper slope must look less far"),
            ),
        )


@alibi_reach.property("half the slope looks twice as far")
def reach_scales(call, draw):
    """Up to rounding up."""
    for slope, share in cases(draw):
        near, far = (expect.whole(call(slope / k, share)) for k in (1, 2))
        if not 2 * near - 1 <= far <= 2 * near:
            raise Broken(
                "with half the slope it does not look twice as far",
                f"for share {share:.4g}, slopes {slope:.4g} and {slope / 2:.4g}: {near} and {far}",
            )


@alibi_reach.property("however flat the slope and small the share, the first such distance")
def reach_far(call, draw):
    """More than a thousand tokens, and a weight that is just too large."""
    for slope, share, fault in (
        (1 / 256, 0.01, "it never looks further than a thousand tokens"),
        (0.001, 0.05, "it never looks further than a thousand tokens"),
        (1.0, math.exp(-3.005), "a weight that is a little above the share passes"),
        (0.5, math.exp(-2.0005), "a weight that is a little above the share passes"),
        (1.0, 1e-300, "a tiny share goes wrong"),
        (1e7, 0.5, "with a very steep slope the distance is rounded away"),
    ):
        seen = f"for slope {slope:.4g} and share {share:.6g}"
        expect.equal(expect.whole(call(slope, share), seen), right(slope, share), seen, fault)
