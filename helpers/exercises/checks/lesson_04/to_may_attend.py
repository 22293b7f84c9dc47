"""Exercise 04.2: three conventions in, one out."""

from collections.abc import Callable

import torch

from helpers.decoder import masks
from helpers.exercises import expect
from helpers.exercises.checks.lesson_04.shared import name_of
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

to_may_attend = Exercise(
    "04.2",
    "to_may_attend",
    title="Three conventions in, one out",
    minutes=5,
    level="medium",
    points=1,
    hints=(
        "Two of the three conventions are boolean, so nothing but their name can tell you which "
        "one you have.",
        "Write one causal mask of three tokens by hand in all three ways. You must get the same "
        "lower triangle back three times.",
        "may: the mask itself. hidden: ~mask. additive: which comparison is true for 0 and false "
        "for -inf? Everything else: raise ValueError.",
    ),
)


def three_ways(mask: torch.Tensor) -> dict[str, torch.Tensor]:
    """Return a mask in the three conventions."""
    return {"may": mask, "hidden": ~mask, "additive": masks.to_additive(mask)}


def some_masks(draw: torch.Generator) -> list[torch.Tensor]:
    """Return masks of several shapes, one of them with blind rows."""
    drawn = torch.rand((2, 1, 3, 4), generator=draw) < 0.5
    alone = masks.causal(3)[None, None]
    some = [masks.causal(3), masks.causal(2, 5), drawn, torch.zeros(2, 2).bool()]
    return [*some, alone, alone[..., :1, :1], alone[0, 0, 1]]


def one_convention(name: str, fault: str) -> Callable:
    """Return a property's function: what comes out for one convention."""

    def function(call, draw):
        for mask in some_masks(draw):
            given = three_ways(mask)[name]
            seen = f'for "{name}" and {show(given)}'
            got = expect.tensor(call(given, name), mask.shape, "bool", seen)
            expect.equal(got, mask, seen, f'"{name}" is read wrongly', known=((~mask, fault),))

    return function


to_may_attend.property('a mask that is "may" comes out as it went in')(
    one_convention("may", '"may" is turned around, though it needs no change')
)
to_may_attend.property('a mask that is "hidden" comes out turned around')(
    one_convention("hidden", '"hidden" is not turned around: True says must not there')
)
to_may_attend.property('a mask that is "additive" is True where it holds 0')(
    one_convention("additive", "the additive mask comes out upside down: 0 says yes, -inf no")
)


@to_may_attend.property("an additive mask of any float type will do")
def additive_types(call, draw):
    """float16, bfloat16 and float64, against float32."""
    mask = torch.rand((3, 4), generator=draw) < 0.5
    before = expect.tensor(call(masks.to_additive(mask), "additive"), (3, 4), "bool")
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        given = masks.to_additive(mask, dtype)
        seen = f"for {show(given)} in {name_of(dtype)}"
        got = expect.tensor(call(given, "additive"), (3, 4), "bool", seen)
        if not torch.equal(got, before):
            raise Broken("another float type gives another mask", f"{seen} it gives {show(got)}")


@to_may_attend.property("an unknown convention raises ValueError")
def unknown_convention(call, draw):
    """Whatever the mask is."""
    for name in ("visible", "", "Hidden", "ma", "may ", "MAY", "hide", "add", "additive mask"):
        for given in (masks.causal(2), masks.to_additive(masks.causal(2))):
            raised = call.error(given, name)
            if not raised:
                raise Broken(
                    "an unknown convention is taken without a word", f"for {name!r}, {show(given)}"
                )
            if raised != "ValueError":
                raise Broken(
                    "an unknown convention raises something else than ValueError",
                    f"for {name!r} it raised {raised}",
                )
