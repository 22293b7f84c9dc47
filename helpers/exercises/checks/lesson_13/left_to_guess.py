"""Exercise 13.4: what is left to guess."""

import math

from helpers.exercises import expect
from helpers.exercises.checks.lesson_13.shared import (
    diagnose,
    drawn_language,
    echo_sentences,
    groups,
    law_at,
    left,
)
from helpers.exercises.exercise import Broken, Exercise

left_to_guess = Exercise(
    "13.4",
    "left_to_guess",
    title="What is left to guess",
    minutes=12,
    level="medium",
    points=3,
    hints=(
        "Someone who knows the seen words knows in which group of sentences they are. What do they "
        "still not know?",
        "Group the sentences by what is seen. Inside a group, the probabilities divided by their "
        "sum are a law of the hidden word. The groups count by their probability: with nothing "
        "seen there is one group, with everything seen each sentence is its own.",
        "mass[seen words][word at place] += p over all sentences. Then add up -p * log(p / total "
        "of its group) over all p in all groups.",
    ),
)


def entropy(law) -> float:
    """Return the entropy in nats of some probabilities."""
    return -sum(p * math.log(p) for p in law)


def guess(sentences, probabilities, place, seen) -> float:
    """Return what is left to guess."""
    return sum(
        total * entropy(law_at(members, place).values())
        for total, members in groups(sentences, probabilities, seen)
    )


def guess_faults(sentences, probabilities, place, seen) -> list[tuple[float, str]]:
    """Return what known faults give instead."""
    right = guess(sentences, probabilities, place, seen)
    found = groups(sentences, probabilities, seen)
    even = [1 / len(sentences)] * len(sentences)
    each = [entropy(law_at(members, place).values()) for _, members in found]
    joint = entropy([total for total, _ in found]) + right
    return [
        (right / math.log(2), "it is measured in bits: take the natural logarithm for nats"),
        (sum(each) / len(each), "every group counts the same, whatever its probability"),
        (sum(each), "the entropies of the groups are added up without their probabilities"),
        (guess(sentences, even, place, seen), "every sentence counts the same"),
        (guess(sentences, probabilities, place, []), "what is seen makes no difference"),
        (joint, "a probability in a group is not divided by the group's own"),
        (
            guess(sentences, probabilities, place, range(place)),
            "it sees what stands before the place, not the places in seen",
        ),
        (
            guess(
                sentences,
                probabilities,
                place,
                [t for t in range(len(sentences[0])) if t not in (place, *seen)],
            ),
            "it sees the places that are not in seen",
        ),
        (max(each), "it is the entropy of one group, not the average over all"),
        (
            guess(sentences, probabilities, place, list(seen)[-1:]),
            "of the places in seen only the last one is used",
        ),
        (
            guess(
                [[*sorted(s[t] for t in seen), s[place]] for s in sentences],
                probabilities,
                -1,
                range(len(seen)),
            ),
            "the words that are seen have lost their places",
        ),
    ]


@left_to_guess.property("nothing is left for someone who sees the place itself")
def sees_itself(call, draw):
    """place in seen."""
    for sentences, probabilities in (echo_sentences(), drawn_language(draw)):
        for seen in ([2], [3, 2], [0, 1, 2, 3]):
            got = left(call, sentences, probabilities, 2, seen)
            expect.equal(
                got,
                0,
                f"for place = 2, seen = {seen}:",
                "something is left although the place itself is seen",
            )


@left_to_guess.property("to see one place more never leaves more to guess")
def never_grows(call, draw):
    """Add places one by one."""
    sentences, probabilities = drawn_language(draw)
    for place, order in ((0, [1, 2, 3]), (1, [3, 0, 2]), (3, [2, 1, 0])):
        before = left(call, sentences, probabilities, place, [])
        for n in range(1, 4):
            got = left(call, sentences, probabilities, place, order[:n])
            if got > before + expect.TOLERANCE:
                raise Broken(
                    "more is seen, and more is left to guess",
                    f"for place = {place}: seen = {order[: n - 1]} gives {before:.4f}, "
                    f"seen = {order[:n]} gives {got:.4f}",
                )
            before = got


@left_to_guess.property("the order of seen does not matter")
def any_order(call, draw):
    """Shuffle seen."""
    sentences, probabilities = drawn_language(draw, N=12, T=5)
    for place, seen, other in ((4, [0, 1, 2], [2, 0, 1]), (0, [1, 3], [3, 1])):
        first, second = (left(call, sentences, probabilities, place, o) for o in (seen, other))
        if not expect.close(first, second):
            raise Broken(
                "the same places in another order give another number",
                f"for place = {place}: seen = {seen} gives {first:.4f}, "
                f"seen = {other} gives {second:.4f}",
            )


@left_to_guess.property("from the left, the places add up to the entropy of the language")
def chain_rule(call, draw):
    """The sum over all places with seen = range(place)."""
    cases = []
    for sentences, probabilities in (echo_sentences(), drawn_language(draw)):
        places = range(len(sentences[0]))
        faults = [guess_faults(sentences, probabilities, t, range(t)) for t in places]
        known = [  # each fault, summed over the places
            (sum(value for value, _ in column), column[0][1])
            for column in zip(*faults, strict=True)
        ]
        got = sum(left(call, sentences, probabilities, t, range(t)) for t in places)
        given = f"for the {len(places)} places of {len(sentences)} sentences:"
        cases.append((got, entropy(probabilities), given, known))
    diagnose(cases, "the sum over all places is not the entropy of the language")


@left_to_guess.property("it is the average entropy of the word, over what may be seen")
def average_entropy(call, draw):
    """Compare with the formula, and name the known slips."""
    cases = []
    for N, T, V in ((5, 3, 2), (9, 4, 3), (20, 4, 3)):
        language = drawn_language(draw, N, T, V)
        for place, seen in ((0, [1]), (1, [0, 2]), (2, [1]), (2, []), (0, [2, 1])):
            given = f"for {N} sentences of {T} words, place = {place}, seen = {seen}:"
            got = left(call, *language, place, seen)
            right = guess(*language, place, seen)
            cases.append((got, right, given, guess_faults(*language, place, seen)))
    diagnose(cases, "it gives another value")


@left_to_guess.property("ids are numbers, not digits, and rare sentences count")
def odd_languages(call, draw):
    """Two digits in a row; a sentence of one in ten million."""
    for language, place, seen, fault in (
        (
            ([[1, 11, 0], [11, 1, 2]], [0.5, 0.5]),
            2,
            [0, 1],
            "ids are joined as digits: 1, 11 is not 11, 1",
        ),
        (
            ([[1, 12, 0], [11, 2, 1], [3, 3, 3]], [0.5, 0.25, 0.25]),
            2,
            [0, 1],
            "ids are joined as digits: 1, 11 is not 11, 1",
        ),
    ):
        got, right = left(call, *language, place, seen), guess(*language, place, seen)
        expect.equal(got, right, f"for {language[0]}, place = {place}, seen = {seen}:", fault)
    rare = [[0], [1]], [1 - 1e-7, 1e-7]
    got, right = left(call, *rare, 0, []), guess(*rare, 0, [])
    if not 0.99 * right < got < 1.01 * right:
        raise Broken(
            "a rare sentence is left out", f"with 1e-7 it gives {got:.3g}, not {right:.3g}"
        )
