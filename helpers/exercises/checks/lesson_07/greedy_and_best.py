"""Exercise 07.6: the likeliest sentence."""

import math

import torch

from helpers.exercises import expect
from helpers.exercises.checks.laws import (
    RUN_TOGETHER,
    TRAP,
    digits_run_together,
    greedy_of,
    likeliest,
    probability_of,
    random_laws,
)
from helpers.exercises.checks.lesson_07.shared import LANGUAGE, PREFIXES, trained_logits
from helpers.exercises.exercise import Broken, Exercise, WrongForm
from helpers.exercises.plain import show
from helpers.languages.language import EOS

greedy_and_best = Exercise(
    "07.6",
    "greedy_and_best",
    title="The likeliest sentence",
    minutes=30,
    level="challenge",
    points=5,
    imports=(),
    hints=(
        "Greedy is one walk through the table. For the likeliest sentence you need all walks. How "
        "can you keep beginnings that are not finished, each with its probability?",
        "The probability of a sentence is the product over all its steps, the last one to 2 "
        "included, and so it falls, or stays, with each token. Over the whole table, the "
        "probabilities of all sentences sum to at most 1. The likeliest is never below the greedy "
        "one.",
        "Make {tuple(prefix): law} first. waiting = [((1,), 1.0)]; take a pair off; if the text "
        "ends with 2, it is a sentence; otherwise add (*text, token) with probability * law[token] "
        "for each token that is 2 or leads to a beginning in the table. At last take the max.",
    ),
)


def both(call, laws: list, name: str) -> tuple:
    """Call the answer; return greedy, its probability, best, its probability."""
    seen = f"for {name}"
    greedy, p, best, q = expect.items(call(laws), 4, seen)
    pair = [(expect.wholes(greedy, seen=seen), p), (expect.wholes(best, seen=seen), q)]
    out = []
    for text, chance in pair:
        if text[:1] != [1] or text[-1:] != [EOS]:
            raise WrongForm("a sentence does not go from 1 to 2", f"{seen} it gives {show(text)}")
        out += [text, expect.number(chance, seen)]
    return tuple(out)


def trained_laws() -> list:
    """Return the trained model as a table over the beginnings of captions."""
    laws = trained_logits().double().softmax(dim=-1).tolist()
    return [[prefix, law] for prefix, law in zip(PREFIXES, laws, strict=True)]


def named_laws(draw: torch.Generator) -> tuple:
    """Return the tables that most properties look at."""
    return (
        (TRAP, "a table whose first law is 3: 0.30, 4: 0.34, 5: 0.36"),
        (random_laws(draw), "a random table of 6 ids"),
        (random_laws(draw), "another random table of 6 ids"),
        (trained_laws(), "the trained model's table"),
    )


@greedy_and_best.property("it gives two sentences from 1 to 2, each with its probability")
def both_form(call, draw):
    """The form."""
    both(call, TRAP, "a table whose first law is 3: 0.30, 4: 0.34, 5: 0.36")


@greedy_and_best.property("a sentence's probability is the product over all its steps")
def both_products(call, draw):
    """Of whatever sentences are returned."""
    for laws, name in named_laws(draw):
        greedy, p, best, q = both(call, laws, name)
        for text, chance in ((greedy, p), (best, q)):
            right = probability_of(laws, text)
            if right <= 0:
                raise Broken("it gives an impossible sentence", f"for {name}: {show(text)}")
            steps = len(text) - 1
            last = {tuple(prefix): law for prefix, law in laws}[tuple(text[:-1])][EOS]
            expect.equal(
                chance,
                right,
                f"for {name}, sentence {text}:",
                "the probability is not the product over the sentence's steps",
                known=(
                    (math.log(right), "it gives the logarithm of a probability"),
                    (right ** (1 / steps), "it gives an average over the steps, not the product"),
                    (right / last, "the last step, the one to 2, is missing from the product"),
                ),
            )


@greedy_and_best.property("the greedy sentence takes the likeliest token in each step")
def both_greedy(call, draw):
    """Also the lowest id of equal ones."""
    even = LANGUAGE.next_token
    exact = [[prefix, even(prefix).tolist()] for prefix in PREFIXES]
    for laws, name in (*named_laws(draw), (exact, "the true law of captions, which has ties")):
        found, right = both(call, laws, name)[0], greedy_of(laws)
        if found == right:
            continue
        if "ties" in name and expect.close(probability_of(laws, found), 1 / 8):
            fault = "of equally likely tokens greedy does not take the lowest id"
        elif found == likeliest(laws)[0]:
            fault = "the greedy sentence is the likeliest one: greedy looks one step ahead only"
        else:
            fault = "the greedy sentence does not take the likeliest token in each step"
        raise Broken(fault, f"for {name} it gives {found}, right is {right}")


@greedy_and_best.property("no sentence is likelier than the likeliest")
def both_best(call, draw):
    """Against all sentences; any of equally likely ones is right."""
    for laws, name in named_laws(draw):
        found = both(call, laws, name)[2]
        p = probability_of(laws, found)
        best, q = likeliest(laws)
        if p >= q - 1e-9:
            continue
        if found == greedy_of(laws):
            fault = "what it gives as the likeliest sentence is only the greedy one"
        elif found == likeliest(laws, average=True)[0]:
            fault = "the likeliest sentence is chosen by its average over the steps"
        else:
            fault = "there is a sentence likelier than the one it gives as the likeliest"
        raise Broken(fault, f"for {name} it gives {found} with {p:.4f}; {best} has {q:.4f}")


def many_even_beginnings() -> list:
    """Return a table whose likeliest sentence, 1 10 2, has the least likely of 8 beginnings."""
    sure = [0.0, 0.0, 1.0] + [0.0] * 9
    laws = [[[1], [0.0, 0.0, 0.0, *[0.13] * 7, 0.09, 0.0]], [[1, 10], sure]]
    for word in range(3, 10):
        laws.append([[1, word], [0.0, 0.0, 0.0, *[0.25] * 4, *[0.0] * 5]])
        laws += [[[1, word, other], sure] for other in range(3, 7)]
    return laws


@greedy_and_best.property("no beginning is given up because others are likelier")
def both_wide(call, draw):
    """A table on which a beam search of up to seven beams goes wrong."""
    name = "a table with 7 beginnings of 0.13, shared by four, and one of 0.09"
    found = both(call, many_even_beginnings(), name)[2]
    if found != [1, 10, 2]:
        fault = "the likeliest sentence of a wide table is missed"
        if both(call, TRAP, "a small table")[2] == likeliest(TRAP)[0]:
            fault = "the beginning of the likeliest sentence is given up: look at all beginnings"
        raise Broken(fault, f"for {name} it gives {found}; [1, 10, 2] has 0.09")


@greedy_and_best.property("ids of two digits are no other ids")
def both_digits(call, draw):
    """Two sentences whose ids, written in a row, are the same."""
    laws = digits_run_together()
    for order in (laws, laws[::-1]):
        name = "a table with the beginnings [1, 3, 34] and [1, 33, 4]"
        if raised := call.error(order):
            raise Broken(RUN_TOGETHER, f"for {name} it raised {raised}")
        greedy, _, best, _ = both(call, order, name)
        right = [1, 3, 34, 2]
        if (greedy, best) != (right, right):
            raise Broken(RUN_TOGETHER, f"for {name} it gives {greedy} and {best}, not {right}")


@greedy_and_best.property("a beginning that is not in the table is impossible")
def both_missing(call, draw):
    """Take the likeliest first word out of the table."""
    laws = random_laws(draw)
    root = next(law for prefix, law in laws if prefix == [1])
    gone = root.index(max(root))
    laws = [[prefix, law] for prefix, law in laws if prefix[1:2] != [gone]]
    name = f"a random table without the beginnings [1, {gone}, ...]"
    raised = call.error(laws)
    if raised:
        raise Broken(
            "a token that leads out of the table stops it with an exception",
            f"for {name} it raised {raised}",
        )
    greedy, p, best, q = both(call, laws, name)
    if gone in (greedy[1], best[1]):
        raise Broken(
            "it uses a beginning that is not in the table", f"for {name}: {greedy} and {best}"
        )
    right, chance = likeliest(laws)
    expect.equal(greedy, greedy_of(laws), f"for {name}:", "greedy goes wrong beside a gap")
    expect.equal(best, right, f"for {name}:", "the likeliest goes wrong beside a gap")
    expect.equal(
        [p, q],
        [probability_of(laws, greedy), chance],
        f"for {name}:",
        "the probabilities are wrong beside a gap",
        known=(
            (
                [probability_of(laws, greedy) / (1 - max(root)), chance / (1 - max(root))],
                "a step beside a gap is rescaled: its probability is the one in the table",
            ),
        ),
    )
