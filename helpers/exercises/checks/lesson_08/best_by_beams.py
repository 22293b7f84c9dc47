"""Exercise 08.5: beam search."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.laws import (
    RUN_TOGETHER,
    digits_run_together,
    greedy_of,
    probability_of,
    random_laws,
    sentences_of,
)
from helpers.exercises.checks.lesson_08.shared import FORK_ROWS, FORK_WEIGHTS, FORK_WORDS
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.languages.language import EOS, Language

best_by_beams = Exercise(
    "08.5",
    "best_by_beams",
    title="Beam search",
    minutes=25,
    level="hard",
    points=4,
    imports=(),
    hints=(
        "You need two lists: texts that go on, and texts that are finished. What happens to each "
        "of them in one step?",
        "One beam must say what greedy says. As many beams as there are texts must find all of "
        "them, in order. On the lesson's fork 2 beams find “my dog” and 3 beams “the end”.",
        "candidates = [((*text, token), probability * p) for every running text and every token "
        "with p > 0]. From the `beams` likeliest of them, those that end go to finished. running = "
        "the `beams` likeliest of those that do not end. When running is empty, return the `beams` "
        "likeliest of finished.",
    ),
)


FORK = Language.of("fork", FORK_WORDS, FORK_ROWS, FORK_WEIGHTS.values())


def search(laws: list, beams: int, way: str = "right") -> list:
    """Return the best texts that beam search meets, or what a known slip of it would find."""
    after = {tuple(prefix): law for prefix, law in laws}

    def best(pairs):
        return sorted(pairs, key=lambda pair: -pair[1])[:beams]

    running, finished = [((1,), 1.0)], []
    while running:
        candidates = [
            ((*text, token), p * q)
            for text, p in running
            for token, q in enumerate(after[text])
            if q > 0
        ]
        ranked = candidates if way == "all that end" else best(candidates)
        finished += [pair for pair in ranked if pair[0][-1] == EOS]
        going = [pair for pair in candidates if pair[0][-1] != EOS]
        running = going if way == "all go on" else best(going)
        if way == "places":
            running = [pair for pair in ranked if pair[0][-1] != EOS]
        if way == "first" and finished:
            break
    if way == "average":
        finished.sort(key=lambda pair: -(pair[1] ** (1 / (len(pair[0]) - 1))))
        return [[list(text), p] for text, p in finished[:beams]]
    return [[list(text), p] for text, p in best(finished)]


SLIPS = {
    "places": "finished texts take the places of running ones: of those that do not end, `beams` "
    "go on",
    "all that end": "a text that ends is set aside although it is not among the `beams` likeliest "
    "candidates",
    "all go on": "more texts than there are beams go on",
    "first": "it stops as soon as the first text has ended: a running one may still win",
    "average": "the texts are ranked by the average over their steps, not by probability",
}


def texts_of(pairs: list) -> list:
    """Return the texts alone."""
    return [text for text, _ in pairs]


def telling_laws(draw: torch.Generator) -> list:
    """Return a table on which two beams find other texts than each of the known slips does.

    A right search finds 3 2 with 0.24 and 3 3 3 2 with 0.16. 5 2 has 0.245, but 5 is third in its
    step. So is 4 2 with 0.17. 4 4 is second with 0.185, and then spreads thin.
    """
    weights = {
        (1,): {3: 0.400, 4: 0.355, 5: 0.245},
        (1, 3): {EOS: 0.240, 3: 0.160},
        (1, 4): {EOS: 0.170, 4: 0.185},
        (1, 3, 3): {3: 1.0},
        (1, 4, 4): {3: 0.34, 4: 0.33, 5: 0.33},
    }
    for text in ((1, 5), (1, 3, 3, 3), (1, 4, 4, 3), (1, 4, 4, 4), (1, 4, 4, 5)):
        weights[text] = {EOS: 1.0}
    other = [0, 1, 2, *(3 + torch.randperm(3, generator=draw)).tolist()]  # other ids for 3, 4, 5
    laws = []
    for text, law in weights.items():
        row = torch.zeros(6, dtype=torch.float64)
        for token, weight in law.items():
            row[other[token]] = weight * (1 + 0.005 * float(torch.rand((), generator=draw)))
        laws.append([[other[token] for token in text], (row / row.sum()).tolist()])
    return laws


def named(laws: list, beams: int) -> str:
    """Return which table and how many beams, in few words."""
    first = next(law for prefix, law in laws if prefix == [1])
    shares = ", ".join(f"{token}: {p:.3f}" for token, p in enumerate(first) if p > 0)
    return f"{beams} beam{'s' if beams > 1 else ''} on a table whose first law is {shares}"


def beam_result(call, laws: list, beams: int) -> list:
    """Call the answer; return [text, probability] pairs in the right form."""
    seen = named(laws, beams)
    pairs = []
    for item in expect.items(call(laws, beams), seen=seen):
        text, p = expect.items(item, 2, seen)
        text = expect.wholes(text, seen=seen)
        if text[:1] != [1] or text[-1:] != [EOS]:
            raise WrongForm("a text does not go from 1 to 2", f"{seen}: {show(text)}")
        pairs.append([text, expect.number(p, seen)])
    if not pairs:
        raise WrongForm("it returned no text at all", seen)
    return pairs


@best_by_beams.property("it gives at most `beams` different texts, each with its probability")
def beams_form(call, draw):
    """Pairs of a text and a number."""
    for beams in (1, 2, 4):
        pairs = beam_result(call, random_laws(draw), beams)
        if len(pairs) > beams:
            raise Broken("it gives more texts than there are beams", f"{len(pairs)} for {beams}")
        texts = texts_of(pairs)
        if any(texts.count(text) > 1 for text in texts):
            raise Broken("it gives a text twice", show(texts))


@best_by_beams.property("a probability is the product over all steps, and the highest comes first")
def beams_products(call, draw):
    """Whatever texts are returned."""
    for beams in (1, 3):
        laws = random_laws(draw)
        pairs = beam_result(call, laws, beams)
        for text, p in pairs:
            right = probability_of(laws, text)
            if right <= 0:
                raise Broken("it gives an impossible text", show(text))
            expect.equal(
                p,
                right,
                f"for {text}:",
                "the probability is not the product over the text's steps",
                known=((math.log(right), "it gives the logarithm of a probability"),),
            )
        if [p for _, p in pairs] != sorted((p for _, p in pairs), reverse=True):
            raise Broken("the texts do not stand in order, the likeliest first", show(pairs))


@best_by_beams.property("one beam is greedy")
def beams_one(call, draw):
    """Random tables."""
    for _ in range(3):
        laws = random_laws(draw)
        found, right = beam_result(call, laws, 1)[0][0], greedy_of(laws)
        if found != right:
            raise Broken(
                "one beam does not say what greedy says",
                f"{named(laws, 1)}: it gives {found}, greedy says {right}",
            )


@best_by_beams.property("on the lesson's fork 2 beams find “my dog”, and 3 beams “the end”")
def beams_fork(call, draw):
    """The lesson's language as a table."""
    laws = [[list(prefix), FORK.next_token(prefix).tolist()] for prefix in FORK.prefixes]
    for beams, right in ((1, "a dog"), (2, "my dog"), (3, "the end"), (8, "the end")):
        found = beam_result(call, laws, beams)[0][0]
        if any(not 0 <= token < len(FORK_WORDS) for token in found) or FORK.text(found) != right:
            raise Broken(
                "on the lesson's fork it finds another text",
                f"{named(laws, beams)}: it gives {found}, right is "
                f"{FORK_ROWS[[*FORK_WEIGHTS].index(right)]}",
            )


@best_by_beams.property("the `beams` likeliest go on, those that end are set aside")
def beams_search(call, draw):
    """Tables on which the known slips find something else."""
    telling = [(2, telling_laws(draw)) for _ in range(2)]
    for beams, laws in (*telling, (2, random_laws(draw)), (3, random_laws(draw))):
        pairs = beam_result(call, laws, beams)
        right = search(laws, beams)
        expect.equal(
            texts_of(pairs),
            texts_of(right),
            f"{named(laws, beams)}:",
            "it does not find the texts that a beam search of this width finds",
            known=[(texts_of(search(laws, beams, way)), fault) for way, fault in SLIPS.items()],
        )


# two texts have ended after two steps, and the one that still runs is likelier than both
LATE = [
    [[1], [0.0, 0.0, 0.3, 0.7, 0.0]],
    [[1, 3], [0.0, 0.0, 0.05, 0.0, 0.95]],
    [[1, 3, 4], [0.0, 0.0, 1.0, 0.0, 0.0]],
]


@best_by_beams.property("it goes on until no text goes on")
def beams_late(call, draw):
    """The best text ends last."""
    found = texts_of(beam_result(call, LATE, 2))
    if found[0] != [1, 3, 4, 2]:
        fault = "the best text, which ends last, is not the first"
        if found == [[1, 2], [1, 3, 2]]:
            fault = "it ends once `beams` texts have ended: one that goes on may still win"
        raise Broken(fault, f"{named(LATE, 2)}: it gives {found}, right begins with [1, 3, 4, 2]")


@best_by_beams.property("more beams than there are texts find no impossible ones")
def beams_spare(call, draw):
    """One text alone is possible."""
    laws = [[[1], [0.0, 0.0, 0.0, 1.0]], [[1, 3], [0.0, 0.0, 1.0, 0.0]]]
    found = texts_of(beam_result(call, laws, 5))
    expect.equal(
        found, [[1, 3, 2]], f"{named(laws, 5)}:", "a text of probability 0 is among the found ones"
    )


@best_by_beams.property("ids of two digits are no other ids")
def beams_digits(call, draw):
    """Two texts whose ids, written in a row, are the same."""
    laws = digits_run_together()
    for order in (laws, laws[::-1]):
        seen = "for a table with the beginnings [1, 3, 34] and [1, 33, 4]"
        if raised := call.error(order, 2):
            raise Broken(RUN_TOGETHER, f"{seen} it raised {raised}")
        found = texts_of(beam_result(call, order, 2))
        expect.equal(found, [[1, 3, 34, 2], [1, 33, 4, 5, 2]], f"{seen}:", RUN_TOGETHER)


@best_by_beams.property("as many beams as there are texts find all of them, in order")
def beams_all(call, draw):
    """Exhaustive search."""
    laws = random_laws(draw)
    everything = sorted(sentences_of(laws), key=lambda pair: -pair[1])
    everything = [text for text, p in everything if p > 0]
    beams = len(everything)
    found = texts_of(beam_result(call, laws, beams))
    if found != everything:
        missing = [text for text in everything if text not in found]
        seen = f"{beams} texts, {len(found)} found"
        raise Broken(
            "with as many beams as there are texts it does not find all of them in order",
            f"{seen}, missing is {missing[0]}" if missing else seen,
        )
