"""Exercise 08.6: look ahead."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_08.shared import FORK_ROWS, FORK_WEIGHTS
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.languages.language import EOS

conditional_step = Exercise(
    "08.6",
    "conditional_step",
    title="Look ahead",
    minutes=30,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "The grammar of the lesson asks which next tokens are allowed. What does it fail to ask "
        "about what comes behind them?",
        "Multiplied along an allowed sentence, your laws must give its probability divided by that "
        "of all allowed ones. With everything allowed they are the language's own laws. For the "
        "fork, “a” must get 0.09 / 0.42 in the first step.",
        "Go through all allowed sentences that begin with the prefix and go on. Add each one's "
        "probability to the token that comes next: mass[token] += p. Divide by the sum of all "
        "masses. Without any, return {}.",
    ),
)


def random_language(draw: torch.Generator) -> tuple[list[list[int]], list[float]]:
    """Return 12 sentences of 1 to 3 words out of 3, 4, 5, and their probabilities."""
    sentences = []
    while len(sentences) < 12:
        length = int(torch.randint(1, 4, (), generator=draw))
        words = torch.randint(3, 6, (length,), generator=draw).tolist()
        if [1, *words, EOS] not in sentences:
            sentences.append([1, *words, EOS])
    law = torch.randn(12, generator=draw, dtype=torch.float64).mul(1.2).softmax(dim=-1)
    return sentences, law.tolist()


def next_mass(sentences, weights, prefix) -> dict[int, float]:
    """Return the weight of each next token."""
    mass = {}
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[: len(prefix)] == prefix and len(sentence) > len(prefix) and weight > 0:
            token = sentence[len(prefix)]
            mass[token] = mass.get(token, 0.0) + weight
    return mass


def rescaled(mass: dict[int, float]) -> dict[int, float]:
    """Return weights as a law."""
    return {token: weight / math.fsum(mass.values()) for token, weight in mass.items()}


def right_step(sentences, probabilities, allowed, prefix) -> dict[int, float]:
    """Return the right law."""
    pairs = zip(sentences, probabilities, strict=True)
    return rescaled(next_mass(sentences, [p * (s in allowed) for s, p in pairs], prefix))


def step_law(call, sentences, probabilities, allowed, prefix, seen: str) -> dict[int, float]:
    """Call the answer; return {id: probability}."""
    law = call(sentences, probabilities, allowed, prefix)
    expect.table(law, law if isinstance(law, dict) else (), seen)
    if not all(isinstance(token, int) and not isinstance(token, bool) for token in law):
        raise WrongForm("the keys of the dict it returned are not ids", f"{seen}: {show(law)}")
    return {token: expect.number(p, seen) for token, p in law.items()}


def compare_step(call, sentences, probabilities, allowed, prefix, name: str) -> None:
    """Compare one law; name the known slips."""
    seen = f"for {name} after {prefix}"
    got = step_law(call, sentences, probabilities, allowed, prefix, seen)
    right = right_step(sentences, probabilities, allowed, prefix)
    if any(p <= 0 for p in got.values()):
        raise Broken("an id without probability stands in the result", f"{seen}: {show(got)}")
    pairs = list(zip(sentences, probabilities, strict=True))
    own = rescaled(next_mass(sentences, probabilities, prefix))
    mass = next_mass(sentences, [p * (s in allowed) for s, p in pairs], prefix)
    total = math.fsum(p for s, p in pairs if s in allowed)
    expect.equal(
        got,
        right,
        f"{seen}:",
        "it gives another law",
        known=(
            (
                rescaled({token: own[token] for token in right}),
                "it looks one step ahead only, as the lesson's grammar does",
            ),
            (
                rescaled(next_mass(sentences, [float(s in allowed) for s in sentences], prefix)),
                "the allowed sentences are counted, not weighed by their probability",
            ),
            (mass, "the law is not rescaled: divide by the sum over all next tokens"),
            (
                {token: weight / total for token, weight in mass.items()},
                "it divides by all allowed sentences, also those that begin in another way",
            ),
            (own, "it gives the language's own law, whatever is allowed"),
        ),
    )


@conditional_step.property("it gives a dict of ids with probabilities that sum to 1")
def step_form(call, draw):
    """A law."""
    sentences, probabilities = random_language(draw)
    law = step_law(call, sentences, probabilities, sentences, [1], "for a random language")
    if not expect.close(math.fsum(law.values()), 1.0):
        raise Broken(
            "the law is not rescaled: divide by the sum over all next tokens",
            f"for a random language after [1] it gives {show(law)}",
        )


@conditional_step.property("on the lesson's fork it gives “a” 0.09 / 0.42 at the first step")
def step_fork(call, draw):
    """The lesson's four texts."""
    allowed = [FORK_ROWS[i] for i in (3, 4, 5, 6)]
    for prefix in ([1], [1, 4], [1, 3]):
        compare_step(call, FORK_ROWS, [*FORK_WEIGHTS.values()], allowed, prefix, "the fork")


@conditional_step.property("its laws multiply to the conditional probability, in any language")
def step_products(call, draw):
    """Every allowed sentence of a random language, step by step."""
    for _ in range(2):
        sentences, probabilities = random_language(draw)
        allowed = sentences[::2]
        total = math.fsum(probabilities[::2])
        for sentence, probability in zip(allowed, probabilities[::2], strict=True):
            product = 1.0
            for t in range(1, len(sentence)):
                prefix = sentence[:t]
                seen = f"for a random language after {prefix}"
                law = step_law(call, sentences, probabilities, allowed, prefix, seen)
                product *= law.get(sentence[t], 0.0)
            expect.equal(
                product,
                probability / total,
                f"for {sentence} of a random language, the product of its steps:",
                "the product over the steps is not the conditional probability",
            )


@conditional_step.property("a sentence is allowed or not, and ids are numbers, not digits")
def step_odd(call, draw):
    """One allowed twice, and one whose ids begin alike when they are written in a row."""
    sentences, probabilities = [[1, 3, 2], [1, 4, 2], [1, 34, 5, 2]], [0.5, 0.25, 0.25]
    for allowed, prefix, fault in (
        (
            [sentences[0], *sentences[:2]],
            [1],
            "a sentence that stands twice among the allowed ones counts twice",
        ),
        (sentences, [1, 3], "the prefix is compared as joined text: 1 3 does not begin 1 34"),
    ):
        seen = f"for {sentences}, allowed {allowed}, after {prefix}"
        expect.equal(
            step_law(call, sentences, probabilities, allowed, prefix, seen),
            right_step(sentences, probabilities, allowed, prefix),
            f"{seen}:",
            fault,
        )


@conditional_step.property("with everything allowed it is the language's own law")
def step_everything(call, draw):
    """No condition."""
    sentences, probabilities = random_language(draw)
    for prefix in ([1], sentences[0][:2]):
        seen = f"for a random language after {prefix}, everything allowed"
        expect.equal(
            step_law(call, sentences, probabilities, sentences, prefix, seen),
            rescaled(next_mass(sentences, probabilities, prefix)),
            f"{seen}:",
            "with everything allowed it is not the language's own law",
            known=(
                (
                    rescaled(next_mass(sentences, [1.0] * 12, prefix)),
                    "the allowed sentences are counted, not weighed by their probability",
                ),
            ),
        )


@conditional_step.property("where no allowed sentence goes on it gives {}")
def step_empty(call, draw):
    """A dead end, a whole sentence, a sentence that the language never says."""
    sentences = [[1, 3, 3, 2], [1, 3, 4, 2], [1, 4, 2], [1, 5, 2]]
    probabilities = [0.5, 0.25, 0.25, 0.0]
    for allowed, prefix, name in (
        ([[1, 4, 2]], [1, 3], "only [1, 4, 2] is allowed"),
        (sentences, [1, 4, 2], "the sentence is whole"),
        ([[1, 3, 5, 2], [1, 4, 2]], [1, 3], "the language never says [1, 3, 5, 2]"),
        ([[1, 5, 2]], [1, 5], "[1, 5, 2] has probability 0"),
        ([], [1], "nothing is allowed"),
    ):
        raised = call.error(sentences, probabilities, allowed, prefix)
        if raised:
            raise Broken(
                "it fails where no allowed sentence goes on: {} is asked for",
                f"after {prefix}, where {name}, it raised {raised}",
            )
        law = step_law(call, sentences, probabilities, allowed, prefix, f"after {prefix}")
        if law:
            raise Broken(
                "it gives a law where no allowed sentence goes on",
                f"after {prefix}, where {name}, it gives {show(law)}",
            )
    law = step_law(call, sentences, probabilities, sentences, [1], "after [1]")
    if 5 in law:
        raise Broken("an id without probability stands in the result", f"it gives {show(law)}")
