"""Exercise 07.5: cold and hot."""

import math
from itertools import pairwise

import torch

from helpers.exercises import expect
from helpers.exercises.checks.laws import RUN_TOGETHER
from helpers.exercises.checks.lesson_07.shared import (
    CAPTIONS,
    INFINITY,
    LANGUAGE,
    PREFIXES,
    trained_logits,
    whole_number,
)
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.languages.language import EOS

count_valid = Exercise(
    "07.5",
    "count_valid",
    title="Cold and hot",
    minutes=20,
    level="hard",
    points=3,
    hints=(
        "One text is one loop: look up the beginning, draw a token, put it behind. When is the "
        "loop over? There are two ways, and one of them is no caption.",
        "With a table of the true law, whose impossible words have minus infinity, all 20 must be "
        "captions at any temperature. With the trained model at temperature 2 the number must move "
        "from seed to seed, around 10.",
        "One generator, made from the seed before the 20 texts begin. laws = (logits / "
        "temperature).softmax(dim=-1); while the text is among the prefixes: add "
        "torch.multinomial(law, 1, generator=...). Then count the texts that stand in captions.",
    ),
)


ALARM = 1e-7


def true_logits() -> torch.Tensor:
    """Return logits of the exact law, with minus infinity for the impossible words, [N, V]."""
    return torch.stack([LANGUAGE.next_token(prefix).log() for prefix in PREFIXES]).float()


def noisy_logits(draw: torch.Generator) -> torch.Tensor:
    """Return another model of captions: the true law, a share of noise, and its own unevenness."""
    law = true_logits().softmax(dim=-1)
    noise = torch.randn(law.shape, generator=draw).softmax(dim=-1)
    return (0.96 * law + 0.04 * noise).log() + 3.0


def valid_chance(logits: torch.Tensor, valid: list[list[int]]) -> float:
    """Return the exact probability that a text drawn at temperature 1 is among these."""
    laws = dict(zip(map(tuple, PREFIXES), logits.double().softmax(-1).tolist(), strict=True))
    return math.fsum(
        math.prod(laws[tuple(text[:t])][text[t]] for t in range(1, len(text))) for text in valid
    )


def divergence(valid: int, texts: int, chance: float) -> float:
    """Return how far a number is from a chance: it happens with at most 2 e^-this (Chernoff)."""
    share, distance = valid / texts, 0.0
    for part, expected in ((share, chance), (1 - share, 1 - chance)):
        if part > 0:
            distance += INFINITY if expected <= 0 else part * math.log(part / expected)
    return texts * distance


def far(valid: int, texts: int, chance: float) -> bool:
    """Return whether chance explains a number only with a probability below ALARM."""
    return divergence(valid, texts, chance) > math.log(2 / ALARM)


def counted(call, logits, valid, temperature: float, seeds) -> list[int]:
    """Call the answer with several seeds; return its numbers."""
    numbers = []
    for seed in seeds:
        seen = f"at temperature {temperature:.4g} with seed {seed}"
        number = expect.whole(call(PREFIXES, logits, valid, temperature, seed), seen)
        if not 0 <= number <= 20:
            raise WrongForm("it gives a number that is not from 0 to 20", f"{seen}: {number}")
        numbers.append(number)
    return numbers


def seeds(draw: torch.Generator, count: int) -> list[int]:
    """Return different seeds."""
    first = whole_number(draw, 0, 10**6)
    return [first + 7 * number for number in range(count)]


@count_valid.property("it gives a whole number from 0 to 20, and for one seed always the same")
def valid_form(call, draw):
    """Repeatable."""
    for seed in seeds(draw, 4):
        first, second = counted(call, trained_logits(), CAPTIONS, 2.0, [seed] * 2)
        if first != second:
            raise Broken(
                "the same seed gives another number: the dice must come from the seed",
                f"temperature 2, seed {seed}: {first}, then {second}",
            )


@count_valid.property("with exact zeros all 20 are captions, at any temperature")
def valid_zeros(call, draw):
    """The true law never slips."""
    for temperature in (0.3, 1.0, 2.0, 4.0):
        for seed in seeds(draw, 2):
            (number,) = counted(call, true_logits(), CAPTIONS, temperature, [seed])
            if number != 20:
                seen = f"the true law at temperature {temperature:g}, seed {seed}: {number} of 20"
                raise Broken(
                    "drawn from the true law, some of the 20 do not count as captions"
                    if number > 8
                    else "it counts the different captions, not the texts that are captions",
                    seen,
                )


def sure_table(texts: list[list[int]], V: int) -> tuple[list, torch.Tensor]:
    """Return beginnings and logits of a law that is even among the texts, and zero elsewhere."""
    beginnings = list(dict.fromkeys(tuple(text[:t]) for text in texts for t in range(1, len(text))))
    logits = torch.full((len(beginnings), V), -INFINITY)
    for row, beginning in enumerate(beginnings):
        for text in texts:
            if tuple(text[: len(beginning)]) == beginning:
                logits[row, text[len(beginning)]] = 0.0
    return [list(beginning) for beginning in beginnings], logits


@count_valid.property("captions may be of any length and hold any ids")
def valid_any_texts(call, draw):
    """A short caption first, then a long one; ids whose digits run together."""
    seed = whole_number(draw, 0, 10**6)
    for texts, V, fault in (
        ([[1, 3, 2], [1, 4, 5, 6, 7, 2]], 8, "captions longer than the first one never come"),
        (
            [[1, 33, 4, 5, 2], [1, 3, 34, 2]],
            36,
            RUN_TOGETHER,
        ),
    ):
        for order in (texts, texts[::-1]) if V == 36 else (texts,):
            prefixes, logits = sure_table(order, V)
            number = expect.whole(call(prefixes, logits, texts, 1.0, seed))
            if number != 20:
                raise Broken(fault, f"for the captions {texts}, all equally likely: {number} of 20")


@count_valid.property("another seed throws other dice, and each of the 20 texts its own")
def valid_dice(call, draw):
    """At temperature 2, about half: the number must move, and not between 0 and 20 alone."""
    numbers = counted(call, trained_logits(), CAPTIONS, 2.0, seeds(draw, 12))
    if set(numbers) == {0, 20}:
        raise Broken(
            "the 20 texts of a call are all alike: one generator must serve all of them, and not "
            "begin anew for each text",
            f"the trained model at temperature 2, 12 seeds: {show(numbers)}",
        )
    if len(set(numbers)) == 1 and numbers[0] not in (0, 20):
        raise Broken(
            "another seed does not give another number",
            f"the trained model at temperature 2, 12 seeds: always {numbers[0]}",
        )


@count_valid.property("seeds next to one another share no text")
def valid_neighbours(call, draw):
    """Where all texts but one are shared, the number moves by one at most, each time."""
    first = whole_number(draw, 0, 10**6)
    numbers = counted(call, trained_logits(), CAPTIONS, 2.0, range(first, first + 30))
    if all(abs(a - b) <= 1 for a, b in pairwise(numbers)) and len(set(numbers)) > 1:
        raise Broken(
            "seeds next to one another share texts: the dice of a text must not be its neighbour's",
            f"the trained model at temperature 2, 30 seeds in a row: {show(numbers)}",
        )


@count_valid.property("on average as many are captions as the law at this temperature says")
def valid_share(call, draw):
    """Against the exact chance: cold, as it is, hot; and another model."""
    other = noisy_logits(draw)
    warm = 1.3 + 0.3 * float(torch.rand((), generator=draw))
    for name, logits, T, count in (
        ("the trained model", trained_logits(), 2.0, 15),
        ("the trained model", trained_logits(), 0.3, 8),
        ("another model", other, warm, 15),
        ("another model", other, 0.5, 8),
    ):
        valid = sum(counted(call, logits, CAPTIONS, T, seeds(draw, count)))
        texts = 20 * count
        chance = valid_chance(logits / T, CAPTIONS)
        if not far(valid, texts, chance):
            continue
        slips = {
            "the temperature has no effect on the number of captions": logits,
            "the logits are multiplied by the temperature": logits * T,
            "the temperature is applied twice": logits / T**2,
        }
        off = {
            fault: divergence(valid, texts, valid_chance(slipped, CAPTIONS))
            for fault, slipped in slips.items()
        }
        fault = min(off, key=off.get)
        if off[fault] > 5:  # none of them explains it
            fault = "the share of captions is not the one that the law at this temperature has"
        seen = f"{name} at temperature {T:.3g}: {valid} of {texts} texts"
        raise Broken(fault, f"{seen}, to be expected are {chance * texts:.0f}")


@count_valid.property("a text counts only if it is one of the captions given")
def valid_captions(call, draw):
    """A law that ends its texts too early, and a list of four captions."""
    early = true_logits().softmax(dim=-1)
    early[:, EOS] += 0.2
    early = early.log()  # not rescaled: softmax does that
    for name, logits, valid in (
        ("a law that often says <eos> too early", early, CAPTIONS),
        ("the true law, with the captions of style 1 given", true_logits(), CAPTIONS[4:]),
    ):
        number = sum(counted(call, logits, valid, 1.0, seeds(draw, 10)))
        if not far(number, 200, valid_chance(logits, valid)):
            continue
        raise Broken(
            "it counts texts that are none of the captions given"
            if number > 200 * valid_chance(logits, valid)
            else "it does not count all texts that are captions",
            f"{name}: {number} of 200, to be expected are {200 * valid_chance(logits, valid):.0f}",
        )
