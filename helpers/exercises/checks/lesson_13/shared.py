"""What several checks of lesson 13 need."""

from collections import defaultdict

import torch

from helpers.exercises import expect
from helpers.exercises.plain import show
from helpers.languages.language import echo


def diagnose(cases: list[tuple], fault: str) -> None:
    """Raise Broken for the first case that is wrong, with the known fault that explains them all.

    cases: (what the answer gives, what is right, for which input, values of known faults), the
    known faults as (value, sentence), the same ones in the same order in every case. On one small
    input two faults may look alike; on several they do not. fault: said if no known one fits.
    """
    wrong = [case for case in cases if not expect.close(case[0], case[1])]
    if not wrong:
        return
    for number, (_, sentence) in enumerate(wrong[0][3]):
        if all(expect.close(got, known[number][0]) for got, _, _, known in cases):
            fault = sentence
            break
    got, right, given, _ = wrong[0]
    expect.equal(got, right, given, fault)


def drawn_language(draw, N=9, T=4, V=3) -> tuple[list, list[float]]:
    """Return N different sentences of T words, and their probabilities."""
    chosen = torch.randperm(V**T, generator=draw)[:N].tolist()
    sentences = [[number // V**t % V for t in range(T)] for number in chosen]
    shares = torch.rand(N, generator=draw, dtype=torch.float64) ** 2 + 0.02
    return sentences, (shares / shares.sum()).tolist()


def echo_sentences(style: int | None = None) -> tuple[list, list[float]]:
    """Return the sentences of echo, all or those of one style, and their probabilities."""
    language = echo()
    sentences = [list(sentence) for sentence in language.sentences]
    if style is not None:
        sentences = [s for s in sentences if (s[2] == 4) == (style == 0)]  # a photo of ...
    return sentences, [1 / len(sentences)] * len(sentences)


def groups(sentences, probabilities, seen) -> list[tuple[float, list]]:
    """Return (probability, [(sentence, its probability in the group)]) by what is seen."""
    found = defaultdict(list)
    for sentence, p in zip(sentences, probabilities, strict=True):
        found[tuple(sentence[place] for place in seen)].append((sentence, p))
    result = []
    for members in found.values():
        total = sum(p for _, p in members)
        result.append((total, [(sentence, p / total) for sentence, p in members]))
    return result


def law_at(members, place) -> dict[int, float]:
    """Return the law of the word at a place, in a group."""
    law = defaultdict(float)
    for sentence, p in members:
        law[sentence[place]] += p
    return dict(law)


def left(call, sentences, probabilities, place, seen) -> float:
    """Return the answer's number."""
    given = f"for {len(sentences)} sentences, place = {place}, seen = {show(list(seen))}"
    return expect.number(call(sentences, probabilities, place, list(seen)), given)
