"""Exercise 24a.6: many lengths, one run."""

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Exercise

steps_to_run = Exercise(
    "24a.6",
    "steps_to_run",
    title="Many lengths, one run",
    minutes=10,
    level="medium",
    points=3,
    imports=(),
    hints=(
        "With a cosine no two lengths share a step. With WSD they share all steps at the peak: "
        "how far must the long run go, and how many steps does each length add?",
        "For lengths 1,000, 2,000 and 4,000 and decay 400: 7,000 with cosines, and "
        "3,600 + 3 · 400 = 4,800 with WSD. A length asked for twice adds nothing.",
        "different = set(lengths); cosine = sum(different); wsd = max(different) - decay + "
        "len(different) * decay.",
    ),
)


def compare(call, lengths: list[int], decay: int, seen: str, named: bool = True) -> None:
    """Compare both counts, and name the known slips where no two of them give one number."""
    found = expect.table(call(lengths, decay), ("cosine", "wsd"), seen)
    different = set(lengths)
    longest, count = max(different), len(different)
    number = expect.whole(found["cosine"], f"{seen}, in 'cosine'")
    expect.equal(
        number,
        sum(different),
        f"{seen}, in 'cosine':",
        "each length needs a cosine of its own",
        (
            (sum(lengths), "cosine: a length that is asked for twice is run twice"),
            (longest, "a cosine cannot be shared: its rates depend on its end"),
        ),
    )
    number = expect.whole(found["wsd"], f"{seen}, in 'wsd'")
    expect.equal(
        number,
        longest - decay + count * decay,
        f"{seen}, in 'wsd':",
        "it is not the long run and the branches",
        named
        * (
            (
                longest - decay + len(lengths) * decay,
                "wsd: a length that is asked for twice branches off twice",
            ),
            (longest + count * decay, "the long run goes on to its end at the peak: no need"),
            (longest, "the branches of the shorter lengths are steps as well"),
            (longest - decay + (count - 1) * decay, "the longest has to decay, too"),
            (
                sum(different) - count * decay,
                "the stable steps are not shared, or decay is left out",
            ),
            (sum(different), "nothing is shared"),
            (
                lengths[-1] - decay + count * decay,
                "the last of the list is taken for the longest",
            ),
            (longest - decay + decay, "all lengths share one decay"),
            (longest - decay, "the steps of the decay are left out"),
        ),
    )


def lengths_of(draw: torch.Generator, n: int, least: int) -> list[int]:
    """Return n different lengths in a drawn order, the longest not the last."""
    lengths = (least + 10 * (1 + torch.randperm(90, generator=draw)[:n])).tolist()
    top = lengths.index(max(lengths))
    lengths[top], lengths[0] = lengths[0], lengths[top]
    return lengths


@steps_to_run.property("cosines share nothing, WSD shares all steps at the peak")
def shared(call, draw):
    """The statement's case, and drawn ones in any order."""
    compare(call, [1000, 2000, 4000], 400, "for lengths [1000, 2000, 4000] and decay 400")
    for n in (3, 5):
        lengths = lengths_of(draw, n, 60)
        compare(call, lengths, 37, f"for lengths {lengths} and decay 37")


@steps_to_run.property("a length that is asked for twice is run once")
def twice(call, draw):
    """A length twice, another three times."""
    a, b, c = lengths_of(draw, 3, 60)
    lengths = [a, b, a, c, b, b]
    compare(call, lengths, 23, f"for lengths {lengths} and decay 23")


@steps_to_run.property("one length, no decay, and a decay as long as the shortest length")
def ends(call, draw):
    """The ends of what is allowed."""
    a, b = lengths_of(draw, 2, 60)
    compare(call, [a], 20, f"for the length {a} alone and decay 20", False)
    compare(call, [a, b], 0, f"for lengths {[a, b]} without decay", False)
    compare(call, [a, b], b, f"for lengths {[a, b]} and decay {b}", False)
    compare(call, [a], a, f"for the length {a} alone, all of it decay", False)
