"""Exercise 01.3: next law with uneven sentences."""

import math
from collections import defaultdict

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_01.shared import plain, uneven
from helpers.exercises.exercise import Broken, Exercise

law_after = Exercise(
    "01.3",
    "law_after",
    title="Next law with uneven sentences",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Go through all sentences, as next_law of the lesson does. What do you add up for a "
        "sentence that is twice as likely as another one?",
        "Whatever the weights sum to, the numbers in your answer sum to 1, and ten times the "
        "weights give the same numbers. A sentence that ends with the prefix does not go on from "
        "it: after a whole sentence comes nothing, {}.",
        "n = len(prefix). For each sentence with sentence[:n] == prefix and len(sentence) > n: "
        "mass[sentence[n]] += weight. At the end divide each mass by sum(mass.values()).",
    ),
)


def masses(sentences: list, weights: list, prefix: list) -> dict[int, float]:
    """Return the weight of each token that can follow."""
    mass = defaultdict(float)
    for sentence, weight in zip(sentences, weights, strict=True):
        if sentence[: len(prefix)] == prefix and len(sentence) > len(prefix):
            mass[sentence[len(prefix)]] += weight
    return dict(mass)


def shares(mass: dict) -> dict:
    """Return a dict of numbers divided by their sum."""
    return {token: value / sum(mass.values()) for token, value in mass.items()}


def beginnings(sentences: list) -> list[list[int]]:
    """Return all prefixes, the shortest first."""
    found = {tuple(sentence[:t]) for sentence in sentences for t in range(1, len(sentence))}
    return [list(prefix) for prefix in sorted(found, key=lambda prefix: (len(prefix), prefix))]


def law_of(call, sentences: list, weights: list, prefix: list) -> dict[int, float]:
    """Return the answer's law, if it is a dict from the right tokens to numbers."""
    got = call(sentences, weights, prefix)
    seen = f"after {prefix}"
    right = set(masses(sentences, weights, prefix))
    if isinstance(got, dict) and set(got) - right:
        tokens = sorted(set(got) - right, key=str)
        raise Broken(
            "it names a token that never follows this beginning",
            f"{seen} it names {', '.join(map(str, tokens))}",
        )
    if got == {} and right:
        raise Broken(
            "it finds no sentence that goes on from there: is a list compared with a tuple?", seen
        )
    if isinstance(got, dict) and right - set(got):
        tokens = sorted(right - set(got))
        raise Broken(
            "it misses a token that can follow", f"{seen} it misses {', '.join(map(str, tokens))}"
        )
    return {token: expect.number(p, seen) for token, p in expect.table(got, right, seen).items()}


@law_after.property("it names the tokens that can follow the prefix, and no others")
def tokens_that_follow(call, draw):
    """At all beginnings of an uneven language."""
    sentences, weights = plain(uneven(draw))
    for prefix in beginnings(sentences):
        law_of(call, sentences, weights, prefix)


@law_after.property("where no sentence goes on there is no law: {}")
def no_law(call, draw):
    """After a whole sentence, and after a beginning that no sentence has."""
    sentences, weights = plain(uneven(draw))
    for prefix in ([1, 3, 4, 2], [1, 2], [1, 5], [1, 3, 4, 5, 3, 2]):
        if error := call.error(sentences, weights, prefix):
            raise Broken(
                "it has no answer where no sentence goes on: {} is asked for",
                f"after {prefix} it raised {error}",
            )
        law_of(call, sentences, weights, prefix)


@law_after.property("a beginning is its ids, one by one, however many digits they have")
def ids_one_by_one(call, draw):
    """Ids whose digits run together."""
    for sentences, prefix in (
        ([[1, 12, 5, 2], [1, 1, 4, 2]], [1, 1]),
        ([[1, 3, 4, 2], [1, 31, 5, 2]], [1, 3]),
        ([[1, 1, 4, 2], [11, 5, 2]], [1, 1]),
    ):
        got = call(sentences, [1, 1], prefix)
        if isinstance(got, dict) and set(got) == {4, 5}:
            raise Broken(
                "two beginnings are taken for one, since their digits written down are alike",
                f"for {sentences}, after {prefix} it gives {got}",
            )
        law_of(call, sentences, [1, 1], prefix)


@law_after.property("weights may be as small or as large as they like")
def any_weights(call, draw):
    """From 1e-100 to 1e100, in a drawn language, and far apart."""
    sentences, weights = plain(uneven(draw))
    for factor in (1e-12, 1e-99, 1e99):
        scaled = [factor * weight for weight in weights]
        for prefix in ([1], [1, 3]):
            seen = f"for weights near {factor:g}, after {prefix}"
            if call(sentences, scaled, prefix) == {}:
                raise Broken("small weights are taken for none at all", seen)
            right = shares(masses(sentences, weights, prefix))
            fault = "with very small or very large weights the shares are others"
            expect.equal(law_of(call, sentences, scaled, prefix), right, seen, fault)


@law_after.property("long sentences and many of them are like short ones and few")
def many_sentences(call, draw):
    """Two hundred sentences that share their first thirty tokens."""
    start = [1, *torch.randint(3, 9, (29,), generator=draw).tolist()]
    sentences = [[*start, 100 + number % 50, 300 + number, 2] for number in range(200)]
    weights = [1 + number % 7 for number in range(200)]
    for prefix in (start, [*start, 100]):
        right = shares(masses(sentences, weights, prefix))
        fault = "for 200 sentences, or after 30 tokens, a probability is wrong"
        seen = f"for 200 sentences, after {len(prefix)} tokens"
        expect.equal(law_of(call, sentences, weights, prefix), right, seen, fault)


@law_after.property("the probabilities sum to 1, whatever the weights sum to")
def sums_to_one(call, draw):
    """Also with ten times the weights."""
    sentences, weights = plain(uneven(draw))
    for factor in (1, 10):
        scaled = [factor * weight for weight in weights]
        for prefix in beginnings(sentences):
            total = sum(law_of(call, sentences, scaled, prefix).values())
            expect.equal(
                total,
                1.0,
                f"after {prefix}, with weights that sum to {factor},",
                "the numbers do not sum to 1: divide by what you added up for this prefix",
            )


@law_after.property("each probability is a share of weight")
def shares_of_weight(call, draw):
    """Compare, and name the known slips."""
    sentences, weights = plain(uneven(draw))
    for prefix in beginnings(sentences):
        mass = masses(sentences, weights, prefix)
        counts = masses(sentences, [1] * len(weights), prefix)
        last = {}
        for sentence, weight in zip(sentences, weights, strict=True):
            last.update(masses([sentence], [weight], prefix))
        expect.equal(
            law_of(call, sentences, weights, prefix),
            shares(mass),
            f"after {prefix}",
            "a share of weight is wrong",
            known=(
                (shares(counts), "it counts the sentences, as if all were equally likely"),
                (shares(last), "it keeps the weight of one sentence where several must be added"),
                (dict.fromkeys(mass, 1 / len(mass)), "all tokens that can follow get the same"),
            ),
        )


@law_after.property("along each sentence the product is its share of all weight")
def chain_rule(call, draw):
    """The product of the steps, for each sentence."""
    sentences, weights = plain(uneven(draw))
    weights = [10 * weight for weight in weights]
    for sentence, weight in zip(sentences, weights, strict=True):
        steps = [
            law_of(call, sentences, weights, sentence[:t])[sentence[t]]
            for t in range(1, len(sentence))
        ]
        expect.equal(
            math.prod(steps),
            weight / sum(weights),
            f"for the sentence {sentence}",
            "the product along a sentence is not its share of all weight",
        )
