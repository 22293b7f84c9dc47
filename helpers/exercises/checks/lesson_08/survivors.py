"""Exercise 08.1: who survives."""

from helpers.exercises import expect
from helpers.exercises.checks.lesson_08.shared import random_law
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show

survivors = Exercise(
    "08.1",
    "survivors",
    title="Who survives",
    minutes=5,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Top-k asks for a word's place in the ranking, min-p for its ratio to the likeliest one. "
        "Where does the likeliest stand in the list?",
        "Write the same law in another order: the same words must stay. For [0.1, 0.4, 0.1, 0.4] "
        "top-k 1 keeps [1], top-k 3 keeps [0, 1, 3], and min-p 1 keeps [1, 3].",
        "possible = the ids with a law above 0. top_k: sorted(possible, key=lambda i: -law[i]), "
        "the first `setting` of it, and sorted again. min_p: those with law[i] >= setting * "
        "max(law).",
    ),
)


def kept_ids(call, law: list[float], control: str, setting: float) -> list[int]:
    """Call the answer; return the ids that it keeps."""
    seen = f"for {show(law)}, {control} {setting:g}"
    ids = expect.wholes(call(law, control, setting), seen=seen)
    for token in ids:
        if not 0 <= token < len(law):
            raise WrongForm("it returned a number that is no id of the law", f"{seen}: {token}")
    if ids != sorted(set(ids)):
        raise Broken("the ids do not go from low to high", f"{seen} it gives {ids}")
    return ids


def ranking(law: list[float]) -> list[int]:
    """Return the possible ids from the likeliest on, lower ids first among equals."""
    return sorted((i for i, p in enumerate(law) if p > 0), key=lambda i: -law[i])


def compare_top_k(call, law: list[float], k: int) -> None:
    """Compare the ids that top-k keeps; name the known slips."""
    order = ranking(law)
    last = order[:k][-1]
    ties = [i for i in order if law[i] >= law[last]]
    late = sorted(range(len(law)), key=lambda i: (-law[i], -i))[:k]
    expect.equal(
        kept_ids(call, law, "top_k", k),
        sorted(order[:k]),
        f"for {show(law)}, top_k {k}:",
        "top-k does not keep the k likeliest",
        known=(
            (sorted(ties), "top-k keeps all words that equal the k-th, not exactly k"),
            (sorted(order[: k + 1]), "top-k keeps one word too many"),
            (sorted(order[: k - 1]), "top-k keeps one word too few"),
            (sorted(late), "of equally likely words top-k takes those with higher ids"),
            (list(range(k)), "top-k takes the first k ids: rank the words by probability first"),
        ),
    )


@survivors.property("it gives the ids that stay, from low to high")
def survivors_form(call, draw):
    """The law of the statement."""
    law = [0.1, 0.5, 0.2, 0.15, 0.05]
    kept_ids(call, law, "top_k", 3)
    kept_ids(call, law, "min_p", 0.1)


@survivors.property("top-k keeps exactly k: the likeliest, and lower ids first among equals")
def survivors_top_k(call, draw):
    """Sorted and unsorted laws, and ties."""
    drawn = random_law(draw, 6)
    for law, settings in (
        ([0.5, 0.2, 0.15, 0.1, 0.05], (2, 1)),
        (drawn, (1, 2, 4)),
        ([0.1, 0.4, 0.1, 0.4], (1, 3)),
        ([0.25] * 4, (2,)),
    ):
        for k in settings:
            compare_top_k(call, law, k)


@survivors.property("top-k with more than there are keeps all")
def survivors_large_k(call, draw):
    """C20."""
    for k in (4, 5, 100000):
        law = random_law(draw, 4)
        expect.equal(
            kept_ids(call, law, "top_k", k),
            [0, 1, 2, 3],
            f"for {show(law)}, top_k {k}:",
            "top-k with k at or above the number of words loses some",
        )


@survivors.property("min-p keeps what is at least p times as likely as the likeliest word")
def survivors_min_p(call, draw):
    """Against the maximum, wherever it stands; equal ones together."""
    halves = [0.125, 0.5, 0.25, 0.125]
    for law, settings in (
        ([0.5, 0.2, 0.15, 0.1, 0.05], (0.25, 0.5)),
        (halves, (0.5, 1.0, 0.25)),
        ([0.1, 0.4, 0.1, 0.4], (1.0, 0.3)),
        (random_law(draw, 6), (0.1, 0.4)),
    ):
        for p in settings:
            right = [i for i, q in enumerate(law) if q >= p * max(law)]
            expect.equal(
                kept_ids(call, law, "min_p", p),
                right,
                f"for {show(law)}, min_p {p:g}:",
                "min-p does not keep what it should",
                known=(
                    (
                        [i for i, q in enumerate(law) if q > p * max(law)],
                        "min-p removes words that are exactly p times as likely",
                    ),
                    (
                        [i for i, q in enumerate(law) if q >= p * law[0]],
                        "min-p compares with the first word, not with the likeliest",
                    ),
                    (
                        [i for i, q in enumerate(law) if q >= p],
                        "min-p compares with p itself, not with p times the likeliest",
                    ),
                    (right[:1], "min-p keeps only one of equally likely words"),
                ),
            )


@survivors.property("a word that is all but impossible stays where it should")
def survivors_tiny(call, draw):
    """One in a thousand million, and less."""
    for tiny in (1e-9, 1e-30):
        law = [tiny, 1.0, tiny]
        for control, setting, right in (("top_k", 2, [0, 1]), ("min_p", 0, [0, 1, 2])):
            expect.equal(
                kept_ids(call, law, control, setting),
                right,
                f"for {law}, {control} {setting}:",
                "a word with a tiny probability is taken for impossible",
                known=((list(range(3)), "a tiny probability is lost beside the others"),)
                if control == "top_k"
                else (),
            )


@survivors.property("a word of probability 0 never stays")
def survivors_zero(call, draw):
    """Adding one changes nothing."""
    law = random_law(draw, 4)
    for control, setting in (("top_k", 6), ("min_p", 0.0), ("top_k", 2)):
        longer = [*law, 0.0, 0.0]
        got = kept_ids(call, longer, control, setting)
        if set(got) & {4, 5}:
            raise Broken(
                "a word of probability 0 stays",
                f"for {show(longer)}, {control} {setting:g} it gives {got}",
            )
        same = kept_ids(call, law, control, setting)
        if got != same:
            raise Broken(
                "words of probability 0 at the end change what else stays",
                f"for {show(longer)}, {control} {setting:g} it gives {got}, without them {same}",
            )
