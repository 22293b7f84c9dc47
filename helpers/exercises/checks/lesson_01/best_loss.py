"""Exercise 01.5: floors of any language."""

import math
from collections import defaultdict

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_01.shared import plain, steps, uneven
from helpers.exercises.exercise import Broken, Exercise
from helpers.languages import language as languages

best_loss = Exercise(
    "01.5",
    "best_loss",
    title="Floors of any language",
    minutes=30,
    level="challenge",
    points=5,
    imports=("math", "collections"),
    hints=(
        "Counting on all sentences gave the floors in the lesson, since all were equally likely. "
        "What must be counted where they are not?",
        "With k as long as the longest sentence you must get the entropy of the language divided "
        "by its average number of predicted tokens. With k = 0 the model sees nothing, so all "
        "steps share one law. Near the beginning it sees what there is.",
        "For each sentence and each t from 1: seen = sentence[max(0, t - k):t], as a tuple, with "
        "t beside it if position. Add the weight to pair[seen, sentence[t]] and to context[seen]. "
        "Then sum -w * log(w / context[seen]) over all pairs, and divide by the sum of all w.",
    ),
)


def surprises(sentences: list, weights: list, **how) -> list[float]:
    """Return the summed surprise of each sentence under the best model of what steps shows."""
    pair, context = defaultdict(float), defaultdict(float)
    for sentence, weight in zip(sentences, weights, strict=True):
        for seen, token in steps(sentence, **how):
            pair[seen, token] += weight
            context[seen] += weight
    return [
        sum(-math.log(pair[seen, token] / context[seen]) for seen, token in steps(sentence, **how))
        for sentence in sentences
    ]


def loss_right(sentences: list, weights: list, k: int, position: bool, **how) -> float:
    """Return the lowest loss in nats a predicted token."""
    each = surprises(sentences, weights, k=k, position=position, **how)
    tokens = [len(sentence) - 1 for sentence in sentences]
    return average(each, weights) / average(tokens, weights)


def average(values: list, weights: list) -> float:
    """Return the weighted average."""
    total = sum(value * weight for value, weight in zip(values, weights, strict=True))
    return total / sum(weights)


def known_slips(sentences: list, weights: list, k: int, position: bool) -> list:
    """Return (value, sentence) for the known slips in a floor."""
    right = loss_right(sentences, weights, k, position)
    each = surprises(sentences, weights, k=k, position=position)
    tokens = [len(sentence) - 1 for sentence in sentences]
    even = [1] * len(weights)
    per_sentence = [a / b for a, b in zip(each, tokens, strict=True)]
    more = [count + 1 for count in tokens]
    slips = [
        (right / math.log(2), "this is in bits: the course's losses are in nats"),
        (loss_right(sentences, even, k, position), "it leaves out the weights of the sentences"),
        (
            average(per_sentence, weights),
            "it averages over sentences first: a token of a short sentence then counts for more",
        ),
        (average(each, even) / average(tokens, even), "the weights are missing in the average"),
        (average(each, weights) / average(more, weights), "<bos> is counted as a predicted token"),
        (average(each, weights), "this is the loss of a sentence: divide by its predicted tokens"),
        (average(each, weights) / average(tokens, even), "the number of tokens is not weighted"),
        (
            loss_right(sentences, weights, k, not position),
            "it knows the position when it must not, or does not when it may",
        ),
        (loss_right(sentences, weights, k + 1, position), "it sees one token more than k"),
        (
            loss_right(sentences, weights, k, position, cut="no max"),
            "near the beginning it must see what there is: a slice from a negative index is empty",
        ),
    ]
    total = sum(weights)
    part = "the weights are divided by their sum in one place and not in the other"
    slips += [
        (right * total, part),
        (right / total, part),
        (
            loss_right(sentences, weights, k, position, cut="joined"),
            "two contexts are taken for one, since their digits written down are alike",
        ),
        (
            loss_right(sentences, weights, k, position, cut="from the end"),
            "the position is counted from the end of a sentence: that gives its length away",
        ),
    ]
    if k:
        slips.append(
            (loss_right(sentences, weights, k - 1, position), "it sees one token fewer than k")
        )
    return slips


@best_loss.property("a model that sees everything reaches the floor of the language")
def whole_past(call, draw):
    """k as long as the longest sentence and longer."""
    for language in (languages.captions(), uneven(draw)):
        sentences, weights = plain(language)
        for k in (language.longest, language.longest + 5):
            got = expect.number(call(sentences, weights, k, False), f"for k = {k}")
            expect.equal(
                got,
                language.floor,
                f"for {language.name} and k = {k}",
                "with the whole past the loss must be the floor: entropy by predicted tokens",
                known=known_slips(sentences, weights, k, False),
            )


@best_loss.property("a model that sees nothing knows only how often each token comes")
def no_past(call, draw):
    """k = 0, without position."""
    sentences, weights = plain(uneven(draw))
    expect.equal(
        expect.number(call(sentences, weights, 0, False), "for k = 0"),
        loss_right(sentences, weights, 0, False),
        "for k = 0",
        "with k = 0 all steps must look the same to the model",
        known=(
            (
                loss_right(sentences, weights, 0, False, cut="last k"),
                "k = 0 shows it the whole past: in Python row[-0:] is all of row",
            ),
            *known_slips(sentences, weights, 0, False),
        ),
    )


@best_loss.property("more context never hurts, and neither does the position")
def never_rises(call, draw):
    """Falling in k, and position below no position."""
    language = uneven(draw)
    sentences, weights = plain(language)
    before = [math.inf, math.inf]
    for k in range(language.longest + 1):
        now = [expect.number(call(sentences, weights, k, where)) for where in (False, True)]
        for where in (0, 1):
            if now[where] > before[where] + 1e-6:
                raise Broken(
                    "the loss rises although the model sees more",
                    f"from k = {k - 1} to {k}, position={bool(where)}: "
                    f"{before[where]:.4f} to {now[where]:.4f}",
                )
        if now[1] > now[0] + 1e-6:
            raise Broken(
                "knowing the position makes the loss worse",
                f"for k = {k}: {now[0]:.4f} without, {now[1]:.4f} with it",
            )
        before = now


@best_loss.property("a context is its ids, however many digits they have and however many they are")
def any_context(call, draw):
    """Ids whose digits run together, and sentences of 40 tokens."""
    digits = [[1, 3, 14, 5, 2], [1, 31, 4, 6, 2]], 2
    start = torch.randint(5, 9, (40,), generator=draw).tolist()
    long = [[1, 3, *start, 9, 2], [1, 4, *start, 10, 2]]
    cases = (digits, (long, 41), (long, 40), (long, 1000), ([[1, 2]], 0), ([[1, 3, 3, 2]], 1))
    for sentences, k in cases:
        weights = [2, 1][: len(sentences)]
        for position in (False, True):
            given = f"for {len(sentences[0])} tokens a sentence, k = {k}, position={position}"
            expect.equal(
                expect.number(call(sentences, weights, k, position), given),
                loss_right(sentences, weights, k, position),
                given,
                "in long sentences it sees another number of tokens than k"
                if sentences is long
                else "for a sentence or two the loss is another one",
                known=() if sentences is long else known_slips(sentences, weights, k, position),
            )


@best_loss.property("weights may be as small or as large as they like")
def any_weights(call, draw):
    """From 1e-100 to 1e100."""
    sentences, weights = plain(uneven(draw))
    right = loss_right(sentences, weights, 1, True)
    for factor in (1e-12, 1e-99, 1e99):
        scaled = [factor * weight for weight in weights]
        given = f"for weights near {factor:g}, k = 1, position=True"
        fault = "with very small or very large weights the loss is another one"
        got = expect.number(call(sentences, scaled, 1, True), given)
        expect.equal(got, right, given, fault, known_slips(sentences, weights, 1, True))


@best_loss.property("it is the lowest loss for each k, with and without position")
def floors(call, draw):
    """Compare on echo and on an uneven language, with weights of any sum."""
    for language, ks in ((languages.echo(), (1, 9)), (uneven(draw), (0, 1, 2, 3))):
        sentences, weights = plain(language)
        weights = [5 * weight for weight in weights]
        for k in ks:
            for position in (False, True):
                expect.equal(
                    expect.number(call(sentences, weights, k, position)),
                    loss_right(sentences, weights, k, position),
                    f"for {language.name}, k = {k}, position={position}",
                    "this is not the lowest loss for that context",
                    known=known_slips(sentences, weights, k, position),
                )
