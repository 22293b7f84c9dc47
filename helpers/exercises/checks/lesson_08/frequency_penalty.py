"""Exercise 08.2: a penalty that does not need a zero."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_08.shared import INFINITY
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

frequency_penalty = Exercise(
    "08.2",
    "frequency_penalty",
    title="A penalty that does not need a zero",
    minutes=10,
    level="medium",
    points=2,
    hints=(
        "Which arithmetic on logits does a constant pass through unchanged: dividing, or "
        "subtracting?",
        "With each = 0.5 and once = 1: a word that never stood loses 0, one that stood once 1.5, "
        "one that stood three times 2.5. Two subtractions, no cases.",
        "logits - each * counts - once * (counts > 0). It makes a new tensor and leaves the two "
        "given ones alone.",
    ),
)


def penalised(call, logits, counts, each: float, once: float) -> torch.Tensor:
    """Call the answer; return a tensor of the same shape."""
    seen = f"for {show(logits)}, counts {show(counts)}, each {each:g}, once {once:g}"
    return expect.tensor(call(logits, counts, each, once), logits.shape, seen=seen, infinite=True)


def random_counts(draw: torch.Generator, *shape: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return logits and how often each word has stood: 0 and 3 among them."""
    counts = torch.randint(0, 4, shape, generator=draw)
    counts[..., 0], counts[..., 1] = 0, 3
    return torch.randn(shape, generator=draw), counts


@frequency_penalty.property("it gives logits of the same shape")
def penalty_form(call, draw):
    """[V], [B, V]."""
    for shape in ((5,), (2, 4)):
        penalised(call, *random_counts(draw, *shape), 0.5, 1.0)


@frequency_penalty.property("a word that never stood keeps its logit")
def penalty_unseen(call, draw):
    """Counts of 0."""
    logits, counts = random_counts(draw, 6)
    got = penalised(call, logits, counts, 0.5, 1.0)
    expect.equal(
        got[counts == 0],
        logits[counts == 0].double(),
        f"for {show(logits)}, counts {show(counts)}, the logits with count 0:",
        "a word that never stood loses something, or wins",
    )


@frequency_penalty.property("each time costs `each`, and having stood at all costs `once`")
def penalty_values(call, draw):
    """Values, and the usual slips."""
    three, stood = torch.tensor([2.0, -2.0, 0.5]), torch.tensor([1, 2, 0])
    pairs = (three, stood), random_counts(draw, 5), random_counts(draw, 3, 4)
    for (logits, counts), each, once in zip(pairs, (0.75, 0.5, 1.5), (0.25, 1.0, 0.0), strict=True):
        z, seen = logits.double(), (counts > 0).double()
        right = z - each * counts - once * seen
        again = (counts - 1).clamp(min=0)
        got = penalised(call, logits, counts, each, once)
        expect.equal(
            got[counts > 0],
            right[counts > 0],
            f"for {show(logits)}, counts {show(counts)}, each {each:g}, once {once:g}, where the "
            "count is not 0:",
            "a word that stood loses the wrong amount",
            known=[
                (wrong[counts > 0], sentence)
                for wrong, sentence in (
                    (z - (each + once) * counts, "`once` is taken for every time"),
                    (z - (each + once) * seen, "`each` is taken only once"),
                    (z - each * counts, "`once` is forgotten"),
                    (z - each * again - once * seen, "the first time does not cost `each`"),
                    (z - each * counts - once * (counts > 1), "`once` begins with the second time"),
                    (z + each * counts + once * seen, "words that stood become likelier"),
                )
            ],
        )


@frequency_penalty.property("each row of a batch has its own counts, and these may be large")
def penalty_rows(call, draw):
    """A word that stood in one row only, and one that stood 300 times."""
    logits, counts = torch.randn(2, 3, generator=draw), torch.tensor([[1, 0, 2], [0, 0, 5]])
    expect.equal(
        penalised(call, logits, counts, 0.0, 1.0),
        logits.double() - (counts > 0).double(),
        f"for {show(logits)}, counts {show(counts)}, each 0, once 1:",
        "a word is charged in a row where it never stood, or is not where it stood",
        known=((logits.double() - (counts > 0).any(dim=0).double(), "one row pays for another"),),
    )
    counts = torch.tensor([300, 256, 70_000])
    expect.equal(
        penalised(call, logits[0], counts, 1.0, 0.0),
        logits[0].double() - counts,
        f"for {show(logits[0])}, counts {show(counts)}, each 1, once 0:",
        "a large count is lost: it does not fit into a byte or two",
        tolerance=1e-4,
    )


@frequency_penalty.property("adding a constant to all logits leaves the law as it is")
def penalty_constant(call, draw):
    """What the repetition penalty of the lesson cannot do."""
    logits, counts = random_counts(draw, 5)
    before = penalised(call, logits, counts, 0.5, 1.0).softmax(dim=-1)
    for constant in (10.0, -10.0):
        after = penalised(call, logits + constant, counts, 0.5, 1.0).softmax(dim=-1)
        expect.equal(
            after,
            before,
            f"for {show(logits)} and {constant:g} added to each, the laws:",
            "it needs to know where 0 is: a constant added to all logits changes the law",
        )


@frequency_penalty.property("a removed word stays removed")
def penalty_removed(call, draw):
    """Minus infinity, seen and not."""
    logits, counts = random_counts(draw, 6)
    logits[0] = logits[1] = -INFINITY
    got = penalised(call, logits, counts, 0.5, 1.0)
    if not (got[:2] == -INFINITY).all():
        raise Broken(
            "a logit of minus infinity becomes finite",
            f"for {show(logits)}, counts {show(counts)} it gives {show(got)}",
        )
