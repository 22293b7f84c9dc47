"""Exercise 13.6: filled apart."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_13.shared import (
    diagnose,
    drawn_language,
    echo_sentences,
    groups,
    law_at,
)
from helpers.exercises.exercise import Broken, Exercise

filled_apart = Exercise(
    "13.6",
    "filled_apart",
    title="Filled apart",
    minutes=30,
    level="challenge",
    points=5,
    hints=(
        "Fix the words that are not hidden. Which fillings does the language have there, and with "
        "what probability does each of them come up if every word is drawn by itself?",
        "One hidden place always fits: 1. Two places that always carry the same word, a fair coin, "
        "fit in 1/2; three of them in 1/4. The words of a place are drawn from the law that this "
        "place has given the words that are not hidden.",
        "Group the sentences by their words that are not hidden. In each group make the law of "
        "each hidden place (divide by the group's probability). For each sentence of the group "
        "multiply the laws' values at its own hidden words, add these products up, and multiply "
        "by the group's probability.",
    ),
)


def apart(sentences, probabilities, hidden, choose=law_at) -> float:
    """Return the probability that fillings drawn apart give a sentence."""
    shown = [t for t in range(len(sentences[0])) if t not in hidden]
    fit = 0.0
    for total, members in groups(sentences, probabilities, shown):
        laws = {place: choose(members, place) for place in hidden}
        fit += total * sum(
            math.prod(laws[place].get(sentence[place], 0) for place in hidden)
            for sentence, _ in members
        )
    return fit


def even_law(members, place) -> dict[int, float]:
    """Fault: each word that occurs counts the same."""
    words = {sentence[place] for sentence, _ in members}
    return dict.fromkeys(words, 1 / len(words))


def likeliest(members, place) -> dict[int, float]:
    """Fault: the likeliest word is taken."""
    law = law_at(members, place)
    return {max(sorted(law), key=law.get): 1.0}


def law_knowing(members, truth, hidden, place) -> dict[int, float]:
    """Fault: the law of a place for someone who knows the other hidden words of truth."""
    like = [(s, q) for s, q in members if all(s[h] == truth[h] for h in hidden if h != place)]
    total = sum(q for _, q in like)
    return {word: q / total for word, q in law_at(like, place).items()}


def apart_faults(sentences, probabilities, hidden) -> list[tuple[float, str]]:
    """Return what known faults give instead."""
    shown = [t for t in range(len(sentences[0])) if t not in hidden]
    found = groups(sentences, probabilities, shown)
    overall = groups(sentences, probabilities, [])[0][1]
    fits = [
        sum(
            math.prod(law_at(members, place)[sentence[place]] for place in hidden)
            for sentence, _ in members
        )
        for _, members in found
    ]
    knowing_others = 0.0
    for total, members in found:
        for truth, p in members:
            laws = {place: law_knowing(members, truth, hidden, place) for place in hidden}
            knowing_others += (
                total
                * p
                * sum(
                    math.prod(laws[place].get(sentence[place], 0) for place in hidden)
                    for sentence, _ in members
                )
            )
    return [
        (
            apart(sentences, probabilities, hidden, lambda m, place: law_at(overall, place)),
            "the words are drawn without a look at the words that are not hidden",
        ),
        (
            apart(sentences, probabilities, hidden, even_law),
            "the words that a place can have are drawn as if all were equally likely",
        ),
        (
            apart(sentences, probabilities, hidden, likeliest),
            "each place takes its likeliest word: a draw may give any other one too",
        ),
        (
            apart(sentences, [1 / len(sentences)] * len(sentences), hidden),
            "all sentences are taken as equally likely",
        ),
        (sum(fits) / len(fits), "the words that are not hidden are taken as equally likely"),
        (sum(fits), "the cases are added up without their probabilities"),
        (knowing_others, "each place is filled by someone who knows the other hidden words"),
        (
            sum(
                total * p * math.prod(law_at(members, h)[sentence[h]] for h in hidden)
                for total, members in found
                for sentence, p in members
            ),
            "it is the chance to hit the very sentence that was hidden: any sentence counts",
        ),
        (
            apart(sentences, probabilities, hidden[:2]),
            "only the first two of the hidden places are filled",
        ),
        (1.0, "the hidden words are drawn together, so they always fit: each must be drawn apart"),
    ]


def fit(call, sentences, probabilities, hidden) -> float:
    """Return the answer's probability."""
    given = f"for {len(sentences)} sentences, hidden = {hidden}"
    got = expect.number(call(sentences, probabilities, hidden), given)
    if not -1e-9 <= got <= 1 + 1e-9:
        raise Broken("it is no probability: it does not lie between 0 and 1", f"{given}: {got:.4g}")
    return got


@filled_apart.property("one hidden place always fits")
def one_place(call, draw):
    """The law given the rest gives only words that fit."""
    for sentences, probabilities in (echo_sentences(), drawn_language(draw)):
        for place in (0, 2, 3):
            expect.equal(
                fit(call, sentences, probabilities, [place]),
                1,
                f"for {len(sentences)} sentences, hidden = {[place]}:",
                "one hidden place does not always fit, though its own law knows all the rest",
            )


@filled_apart.property("words that do not depend on one another always fit")
def independent(call, draw):
    """All pairs of words, with the product of two laws; the rest decides which laws."""
    shares = torch.rand(2, 5, generator=draw, dtype=torch.float64) + 0.1
    sentences, probabilities = [], []
    for first, row in enumerate(shares):
        a, b = row[:2] / row[:2].sum(), row[2:] / row[2:].sum()
        for i in range(2):
            for j in range(3):
                sentences.append([first, i, 9, j])
                probabilities.append(float((0.3, 0.7)[first] * a[i] * b[j]))
    expect.equal(
        fit(call, sentences, probabilities, [1, 3]),
        1,
        "for two words that are independent given the rest, hidden = [1, 3]:",
        "independent words do not always fit",
    )
    only = [[4, 2, 4, 3]]
    for hidden in ([0, 2], [0, 1, 2, 3]):
        expect.equal(
            fit(call, only, [1.0], hidden),
            1,
            f"for the only sentence {only[0]}, hidden = {hidden}:",
            "in a language of one sentence its words do not always fit",
        )


@filled_apart.property("a fair coin and its copies fit in 1/2, then in 1/4")
def copies(call, draw):
    """The shape words of echo, and three copies."""
    got = fit(call, *echo_sentences(style=0), [6, 8])
    fault = "the two shape words of echo do not fit in 1/2"
    expect.equal(got, 0.5, "for the first style of echo, hidden = [6, 8]:", fault)
    coin = [[0, 7, 0, 0], [1, 7, 1, 1]]
    got = fit(call, coin, [0.5, 0.5], [0, 2, 3])
    fault = "three copies of a coin do not fit in 1/4"
    expect.equal(got, 0.25, f"for the sentences {coin}, hidden = [0, 2, 3]:", fault)


@filled_apart.property("the order of the hidden places does not matter")
def hidden_order(call, draw):
    """(i, j) and (j, i)."""
    sentences, probabilities = drawn_language(draw, N=20, T=4)
    for hidden, other in (([0, 2], [2, 0]), ([1, 2, 3], [3, 1, 2])):
        first, second = (fit(call, sentences, probabilities, order) for order in (hidden, other))
        if not expect.close(first, second):
            raise Broken(
                "the same hidden places in another order give another number",
                f"hidden = {hidden} gives {first:.4f}, hidden = {other} gives {second:.4f}",
            )


@filled_apart.property("it is the probability that words drawn apart make a sentence")
def drawn_apart(call, draw):
    """Compare with the formula, and name the known slips."""
    likely_misfit = ([[0, 1], [0, 2], [1, 0]], [0.3, 0.3, 0.4])  # the likeliest words: no sentence
    tried = [(likely_misfit, [0, 1])]
    for N, T, V in ((5, 3, 2), (12, 4, 3), (25, 4, 3)):
        language = drawn_language(draw, N, T, V)
        tried += [(language, hidden) for hidden in ([0, 1], [2, 0], [0, 1, 2], list(range(T)))]
    cases = []
    for language, hidden in tried:
        sentences = language[0]
        given = f"for {len(sentences)} sentences of {len(sentences[0])} words, hidden = {hidden}:"
        got = fit(call, *language, hidden)
        cases.append((got, apart(*language, hidden), given, apart_faults(*language, hidden)))
    diagnose(cases, "it gives another probability")


@filled_apart.property("ids are numbers, not digits")
def filled_digits(call, draw):
    """Two contexts that look alike when they are written in a row."""
    sentences, probabilities = [[1, 11, 0, 0], [11, 1, 5, 5]], [0.5, 0.5]
    expect.equal(
        fit(call, sentences, probabilities, [2, 3]),
        1.0,
        f"for {sentences}, hidden = [2, 3]:",
        "ids are joined as digits: 1, 11 is not 11, 1",
    )


@filled_apart.property("very rare words have laws as others have")
def rare(call, draw):
    """A sentence of probability 1e-200, all of whose hidden words are certain."""
    sentences, probabilities = [[0, 0, 0, 0], [1, 1, 1, 1]], [1.0, 1e-200]
    fault = "a power of a tiny probability vanishes: divide before you multiply"
    if call.error(sentences, probabilities, [1, 2, 3]):
        raise Broken(fault, "for probabilities 1 and 1e-200")
    got = expect.number(call(sentences, probabilities, [1, 2, 3]))
    expect.equal(got, 1.0, "for probabilities 1 and 1e-200:", fault)
