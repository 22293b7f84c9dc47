"""Exercise 12.3: what could be known."""

import math
from collections import Counter

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_12.shared import whole_between
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

floor_of = Exercise(
    "12.3",
    "floor_of",
    title="What could be known",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "The best a reader can do after a sight is to bet by the shares of what follows it. What "
        "does one case cost, if its share is p?",
        "Two cases with one sight and two outcomes cost ln 2 each, so the mean is ln 2 too. If "
        "every sight is another one, nothing is left to guess: 0.",
        "Count the sights and the pairs with two Counters (a pair as a tuple, since a list is no "
        "key). A pair that occurs n times adds n * math.log(count of its sight / n). Divide the "
        "sum by the number of cases.",
    ),
)


def exact_floor(cases: list) -> float:
    """Return the best loss in nats a case."""
    sights, pairs = Counter(seen for seen, _ in cases), Counter(map(tuple, cases))
    return sum(n * math.log(sights[seen] / n) for (seen, _), n in pairs.items()) / len(cases)


def some_cases(draw: torch.Generator, count: int) -> list:
    """Return cases in which some sights are frequent, and some outcomes too."""
    cases = []
    for _ in range(count):
        sight = min(whole_between(draw, 0, 3), whole_between(draw, 0, 3))
        outcome = min(whole_between(draw, 0, sight + 1), whole_between(draw, 0, 2))
        cases.append([f"sight {sight}", ["plus", "circle", "small"][outcome]])
    return cases


@floor_of.property("it is one number, 0 or more, also for a single case")
def floor_form(call, draw):
    """A single case, and more."""
    for cases in ([["a", "plus"]], some_cases(draw, 12)):
        seen = f"for {show(cases)}"
        if expect.number(call(cases), seen) < -1e-9:
            raise Broken("it is below 0, which no loss can be", seen)


@floor_of.property("it is 0 if a sight is always followed by the same thing")
def floor_certain(call, draw):
    """Nothing to guess, though several things follow in all."""
    cases = [["a", "plus"], ["b", "circle"], ["a", "plus"], ["c", "circle"], ["a", "plus"]]
    got = expect.number(call(cases))
    outcomes = exact_floor([["", outcome] for _, outcome in cases])
    expect.equal(
        got,
        0.0,
        f"for {show(cases)}",
        fault="where every sight has one outcome nothing is left to guess, so it must be 0",
        known=((outcomes, "what was seen is not used: count the outcomes of each sight apart"),),
    )


@floor_of.property("it is ln 2 for one sight followed by two things equally often")
def floor_coin(call, draw):
    """One coin toss, in nats."""
    for times in (1, whole_between(draw, 2, 5)):
        cases = [["a", "plus"], ["a", "circle"]] * times
        expect.equal(
            expect.number(call(cases)),
            math.log(2),
            f"for one sight with {times} of each of two outcomes",
            fault="a fair coin must cost ln 2 a case",
            known=(
                (1.0, "it counts in bits: nats take the natural logarithm"),
                (2 * times * math.log(2), "it is the sum over all cases, not the mean"),
            ),
        )


@floor_of.property("a sight and an outcome stay apart")
def floor_pairs(call, draw):
    """Texts that are the same when they are joined."""
    cases = [["a", "bc"], ["a", "d"], ["ab", "c"], ["e", "d"], ["f", "d"]]
    expect.equal(
        expect.number(call(cases)),
        exact_floor(cases),
        f"for {show(cases)}",
        fault="it is another floor",
        known=((0.0, "two cases that differ are counted as the same one"),),
    )


@floor_of.property("it never rises when the sights say more")
def floor_falls(call, draw):
    """Split sights by a second fact; the floor falls or stays."""
    for _ in range(4):
        cases = some_cases(draw, 16)
        before = expect.number(call(cases))
        finer = [[f"{seen}, {whole_between(draw, 0, 1)}", outcome] for seen, outcome in cases]
        after = expect.number(call(finer))
        if after > before + 1e-9:
            raise Broken(
                "it rises when the sights say more",
                f"16 cases, from {before:.4g} to {after:.4g} with one more fact in each sight",
            )


@floor_of.property("each case counts as much as any other")
def floor_values(call, draw):
    """Compare, and name the known slips."""
    for count in (15, 24):
        cases = [*some_cases(draw, count), ["rare", "plus"], ["rare", "circle"]]
        cases += [["often", "plus"]] * 6 + [["often", "circle"]] * 2
        sights = Counter(seen for seen, _ in cases)
        pairs = Counter(map(tuple, cases))
        every = len(cases)
        of_sights = [exact_floor([case for case in cases if case[0] == seen]) for seen in sights]
        surest = [
            math.log(sights[seen] / max(n for (s, _), n in pairs.items() if s == seen))
            for seen, _ in cases
        ]
        expect.equal(
            expect.number(call(cases)),
            exact_floor(cases),
            f"for {every} cases of {len(sights)} sights",
            fault="it is not the mean loss of who bets by the shares",
            known=(
                (
                    exact_floor([["", outcome] for _, outcome in cases]),
                    "what was seen is not used: count the outcomes of each sight apart",
                ),
                (
                    sum(of_sights) / len(of_sights),
                    "each sight counts as much as any other, however rare it is",
                ),
                (
                    exact_floor([list(pair) for pair in pairs]),
                    "equal cases are counted once",
                ),
                (
                    exact_floor([[outcome, seen] for seen, outcome in cases]),
                    "it asks how well the sight is known from what followed",
                ),
                (
                    sum(n * math.log(every / n) for n in pairs.values()) / every,
                    "the sight itself is guessed too: it is given",
                ),
                (
                    sum(math.log(sights[seen] / n) for (seen, _), n in pairs.items()) / len(pairs),
                    "each kind of case counts once, however often it occurs",
                ),
                (sum(surest) / every, "only the likeliest outcome of each sight is counted"),
            ),
        )


@floor_of.property("texts are compared as they are: spaces count, and an empty one is a sight")
def floor_texts(call, draw):
    """Two spaces; nothing seen."""
    for cases, right, fault in (
        (
            [["a b", "x"], ["a  b", "y"], [" a b", "z"]],
            0.0,
            "texts that differ in their spaces are taken for equal",
        ),
        (
            [["", "x"], ["", "y"], ["a", "x"], ["a", "x"]],
            math.log(2) / 2,
            "cases in which nothing was seen are left out",
        ),
        (
            [["a b", "c"], ["a", "b c"], ["a", "d"], ["a b", "e"]],
            math.log(2),
            "sight and outcome are joined with a space, and texts hold spaces themselves",
        ),
    ):
        expect.equal(expect.number(call(cases)), right, f"for {cases}:", fault)
