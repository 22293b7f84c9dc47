"""Exercise 09.2: posterior by hand."""

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_09.shared import begin, tree
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.languages.language import captions

posterior = Exercise(
    "09.2",
    "posterior",
    title="Posterior by hand",
    minutes=8,
    level="medium",
    points=2,
    imports=("torch",),
    hints=(
        "Two things happen: some sentences are ruled out, and what is left is scaled up. By which "
        "number must you divide so that the rest sums to 1?",
        "Two sentences with probabilities 0.3 and 0.1 that are both left must end as 0.75 and "
        "0.25: three to one before, three to one after. The posterior of the posterior, asked with "
        "a longer prompt, is that of the longer prompt.",
        "kept = [p if sentence[: len(prompt)] == prompt else 0.0 for ...]; total = sum(kept), "
        "which is P(prompt); raise ValueError if it is 0; return [p / total for p in kept].",
    ),
)


def weighted(draw: torch.Generator, count: int = 8) -> tuple[list[list[int]], list[float]]:
    """Return sentences and their probabilities; at least two share a beginning of two tokens."""
    sentences = [[1, 3, 4, 2], [1, 3, 5, 2], *(s for s in tree(draw, count) if len(s) != 4)]
    law = torch.rand(len(sentences), generator=draw, dtype=torch.float64) + 0.2
    return sentences, (law / law.sum()).tolist()


@posterior.property("it is a law: one probability a sentence, and they sum to 1")
def posterior_form(call, draw):
    """Prompts of every length."""
    sentences, law = weighted(draw)
    for length in (1, 2, 3, 4):
        prompt = sentences[0][:length]
        seen = f"for {len(sentences)} sentences and the prompt {prompt}"
        found = expect.numbers(call(sentences, law, prompt), len(sentences), seen)
        if not expect.close(sum(found), 1.0):
            kept = sum(law[i] for i in begin(sentences, prompt))
            fault = "the probabilities do not sum to 1"
            if expect.close(sum(found), kept):
                fault = "they sum to P(prompt), not to 1: divide by it"
            raise Broken(fault, f"{seen} it gives {show(found)}, in sum {sum(found):.4g}")


@posterior.property("every sentence that does not begin with the prompt has 0")
def posterior_rules_out(call, draw):
    """Only the others may be above 0."""
    sentences, law = weighted(draw)
    for prompt in ([1, 3], [1, 3, 4], sentences[-1]):
        found = expect.numbers(call(sentences, law, prompt), len(sentences))
        left = begin(sentences, prompt)
        for i, probability in enumerate(found):
            seen = f"for the prompt {prompt} the sentence {sentences[i]} has {probability:.4g}"
            if i in left and probability <= 0:
                raise Broken("a sentence that begins with the prompt has lost everything", seen)
            if i not in left and probability != 0:
                raise Broken("a sentence that the prompt rules out keeps some probability", seen)


@posterior.property("what is left keeps its proportions")
def posterior_proportions(call, draw):
    """Right values, and the slips that also sum to 1."""
    sentences, law = weighted(draw)
    for prompt in ([1, 3], [1]):
        left = begin(sentences, prompt)
        prior = torch.zeros(len(law), dtype=torch.float64)
        prior[left] = torch.tensor(law, dtype=torch.float64)[left]
        here = (prior > 0).double()
        expect.equal(
            expect.numbers(call(sentences, law, prompt), len(law)),
            (prior / prior.sum()).tolist(),
            f"for the prompt {prompt} and the probabilities {show(law)}:",
            "the proportions of the sentences that are left have changed",
            known=(
                ((here / here.sum()).tolist(), "the sentences that are left share equally"),
                (
                    (prior + here * (1 - prior.sum()) / here.sum()).tolist(),
                    "what is ruled out is handed on in equal parts: multiply, do not add",
                ),
                (
                    (here * prior.exp() / (here * prior.exp()).sum()).tolist(),
                    "a softmax of probabilities bends their proportions: divide by their sum",
                ),
            ),
        )


@posterior.property("it is exact for tiny probabilities, and each entry of the list is its own")
def posterior_odd(call, draw):
    """1e-12; a sentence that stands twice."""
    for tiny in (1e-12, 1e-15):
        given = [[1, 3, 2], [1, 4, 2], [1, 4, 5, 2]], [1 - 4 * tiny, tiny, 3 * tiny]
        seen = f"for the probabilities {given[1]} and the prompt [1, 4]"
        if raised := call.error(*given, [1, 4]):
            fault = "a prompt of tiny probability is taken for an impossible one"
            raise Broken(fault, f"{seen} it raised {raised}")
        expect.equal(
            expect.numbers(call(*given, [1, 4]), 3),
            [0.0, 0.25, 0.75],
            f"{seen}:",
            "tiny probabilities lose their proportions",
        )
    expect.equal(
        expect.numbers(call([[1, 3, 2], [1, 3, 2], [1, 4, 2]], [0.5, 0.25, 0.25], [1, 3]), 3),
        [2 / 3, 1 / 3, 0.0],
        "for a sentence that stands twice, with 0.5 and 0.25:",
        "a sentence that stands twice has two probabilities, each its own",
    )


@posterior.property("asking in two steps is the same as asking once")
def posterior_steps(call, draw):
    """The posterior as the new probabilities, and a longer prompt."""
    language = captions()
    sentences = [list(sentence) for sentence in language.sentences]
    short, long = (
        [1, *(language.words.index(word) for word in text.split())]
        for text in ("a photo", "a photo of a small")
    )
    law = torch.rand(len(sentences), generator=draw, dtype=torch.float64) + 0.2
    law = (law / law.sum()).tolist()
    once = expect.numbers(call(sentences, law, long), len(law))
    first = expect.numbers(call(sentences, law, short), len(law))
    second = expect.numbers(call(sentences, first, long), len(law))
    if not expect.close(second, once):
        raise Broken(
            "asked in two steps it gives another law than asked once",
            f'"a photo", then "a photo of a small": {show(second)}, at once {show(once)}',
        )


@posterior.property("a prompt of probability 0 raises ValueError")
def posterior_nothing(call, draw):
    """No sentence begins so, or only sentences that never come."""
    sentences, law = weighted(draw)
    begins = begin(sentences, [1, 3])
    never = [0.0 if i in begins else p for i, p in enumerate(law)]
    for given, prompt, case in (
        (law, [1, 9], "no sentence begins with the prompt"),
        (never, [1, 3], "the sentences that begin with the prompt have probability 0"),
    ):
        raised = call.error(sentences, given, prompt)
        if not raised:
            public = "a prompt of probability 0 gets a law"
            raise Broken(f"{case}, and yet it gives a law", f"for the prompt {prompt}", public)
        if raised != "ValueError":
            public = "for a prompt of probability 0 it raises something else than a ValueError"
            raise Broken(f"{case}: this must be a ValueError", f"it raised {raised}", public)
