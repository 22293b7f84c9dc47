"""Exercise 11.3: four ways to fool yourself."""

import statistics

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_11.shared import between, whole_between
from helpers.exercises.exercise import Broken, Exercise

broken_rules = Exercise(
    "11.3",
    "broken_rules",
    title="Four ways to fool yourself",
    minutes=20,
    level="hard",
    points=3,
    imports=(),
    hints=(
        "Take one rule at a time, each with its own few lines, and add its name to a list. Which "
        "of the rules can you test without looking at any other part of the record?",
        "An honest record must give []. A record whose last token differs must give "
        '["outputs"]; zip alone would stop at the shorter of two lists and not see what is '
        "missing. Swapping the two calls within one round must change nothing.",
        'names = list(record["log_probabilities"]); n = len(names). A round is '
        "calls[i : i + n] for i in range(0, len(calls), n), and its sorted names must be the "
        "sorted names of all sides. The times of a side are the seconds of its calls without the "
        "first one: compare statistics.median of them with what is reported, by math.isclose.",
    ),
)


RULES = ("outputs", "turns", "median", "load")


HONEST = {  # what is said if an honest record is called broken by this rule
    "outputs": "outputs that differ by rounding alone are called unequal",
    "turns": "within a round the sides may come in any order",
    "median": "an honest median of the later calls is called broken",
    "load": "a quiet machine is called busy",
}


def honest(draw: torch.Generator, sides: int, rounds: int) -> dict:
    """Return a record that breaks no rule: a first round, then others, in turns."""
    names = ["uncached", "growing", "preallocated"][:sides]
    rows, length = 3, 4
    sure = [-between(draw, 3, 9) for _ in range(rows)]
    tokens = [[whole_between(draw, 3, 11) for _ in range(length)] for _ in range(rows)]
    calls = []
    for turn in range(rounds):
        order = names[turn % sides :] + names[: turn % sides]
        slow = 40 if turn == 0 else 1
        calls += [[name, slow * between(draw, 0.001, 0.004)] for name in order]
    record = {
        "log_probabilities": {
            name: [value + number * between(draw, -3e-5, 3e-5) for value in sure]
            for number, name in enumerate(names)
        },
        "tokens": {name: [list(row) for row in tokens] for name in names},
        "calls": calls,
        "load": between(draw, 0, 0.2),
    }
    return report(record)


def report(record: dict, how=lambda times: statistics.median(times[1:])) -> dict:
    """Write into a record what is reported of each side's times."""
    times = {}
    for name, seconds in record["calls"]:
        times.setdefault(name, []).append(seconds)
    record["reported"] = {name: how(times[name]) for name in record["tokens"]}
    return record


def judge(call, record: dict, seen: str, right: tuple, missed: str) -> None:
    """Compare the rules that an answer names with the right ones."""
    names = [expect.text(name, seen) for name in expect.items(call(record), seen=seen)]
    for name in names:
        if name not in RULES:
            raise Broken("it names a rule that is none of the four", f"{seen}: {name!r}")
    seen = f"{seen}: it gives {names}, right is {list(right)}"
    if len(set(names)) < len(names):
        raise Broken("a rule is named more than once", seen)
    if right and set(names) > set(right):
        raise Broken("another rule is called broken too", seen)
    if set(names) != set(right):
        raise Broken(missed, seen)
    if names != list(right):
        raise Broken("the rules stand in another order than asked for", seen)


@broken_rules.property("an honest record breaks no rule")
def honest_breaks_none(call, draw):
    """Two sides and three, an odd and an even number of rounds."""
    for sides, rounds in ((2, 6), (3, 4), (2, 2), (3, 5)):
        record = honest(draw, sides, rounds)
        seen = f"{sides} sides that take turns, {rounds} rounds, outputs within 0.0001"
        named = expect.items(call(record), seen=seen)
        missed = next((HONEST[rule] for rule in RULES if rule in named), "")
        if missed:  # before a rule that is named twice
            raise Broken(missed, f"{seen}: it gives {named}, right is []")
        judge(call, record, seen, (), missed)


@broken_rules.property("outputs that differ anywhere break a rule")
def outputs_differ(call, draw):
    """In the last token, in length, in one log-probability, upwards and downwards."""
    for sides in (2, 3):
        seen = f"{sides} sides, the last one"
        for change in (3e-4, -3e-4):
            record = honest(draw, sides, 5)
            [*_, last] = record["tokens"]
            record["log_probabilities"][last][-1] += change
            judge(
                call,
                record,
                f"{seen} {change:+} in the log-probability of its last row",
                ("outputs",),
                "a log-probability that is off by more than 0.0001 is not noticed"
                if change > 0
                else "a log-probability that lies too low is not noticed: take the size of the gap",
            )
        record = honest(draw, sides, 5)
        record["tokens"][last][-1][-1] += 1
        judge(
            call,
            record,
            f"{seen} with another last token in its last row",
            ("outputs",),
            "another token is not noticed: equal numbers do not make equal outputs",
        )
        record = honest(draw, sides, 5)
        record["tokens"][last] = [row[:-1] for row in record["tokens"][last]]
        judge(
            call,
            record,
            f"{seen} with one token less in each row",
            ("outputs",),
            "a side that stops one token early is not noticed",
        )
        record = honest(draw, sides, 5)
        for number, name in enumerate(record["tokens"]):
            record["tokens"][name][0][0] += number
        judge(
            call,
            record,
            f"{sides} sides, each with another first token",
            ("outputs",),
            "other first tokens are not noticed",
        )


@broken_rules.property("every two sides are compared, and times in proportion")
def all_pairs(call, draw):
    """Two sides on either side of the first; small and large times that are reported wrongly."""
    low = honest(draw, 2, 5)
    low["log_probabilities"]["growing"][-1] -= 3e-4
    fault = "outputs that lie too far apart are not noticed"
    if call(low) == ["outputs"]:
        fault = "two sides that are too far apart are not compared with each other"
    for place in range(3):
        record = honest(draw, 3, 5)
        names = list(record["tokens"])
        for name, gap in zip(names[place:] + names[:place], (0, 8e-5, -8e-5), strict=True):
            record["log_probabilities"][name] = [-4.0 + gap, -5.0, -6.0]
        judge(
            call,
            record,
            "3 sides, of which two lie 0.00016 apart, and each 0.00008 from the third",
            ("outputs",),
            fault,
        )
    for scale, off, right in ((0.02, 1.005, ("median",)), (1e6, 1 + 1e-9, ())):
        record = honest(draw, 2, 5)
        record = report(record | {"calls": [[name, scale * t] for name, t in record["calls"]]})
        record["reported"]["growing"] *= off
        judge(
            call,
            record,
            f"times {scale:g} times as long, one reported {off - 1:.1e} of itself too high",
            right,
            "a median is compared by a fixed number of seconds, not by a share of itself",
        )


@broken_rules.property("sides that do not take turns break a rule")
def turns_missing(call, draw):
    """All of one side first; one call more of one side; a pair of rounds out of step."""
    for sides in (2, 3):
        record = honest(draw, sides, 4)
        names = list(record["tokens"])
        calls = record["calls"]
        one_by_one = [pair for name in names for pair in calls if pair[0] == name]
        out_of_step, end = list(calls), 2 * sides - 1  # the last call of the second round
        later = next(i for i in range(end, len(calls)) if calls[i][0] != calls[end][0])
        out_of_step[end], out_of_step[later] = calls[later], calls[end]
        left_over = [*calls, calls[-1]]
        for changed, seen, missed in (
            (one_by_one, "all calls of a side at once", "sides that run one after the other pass"),
            (out_of_step, "one side twice in a round", "only some of the rounds are looked at"),
            (left_over, "one call more at the end", "a last round that lacks a side passes"),
        ):
            judge(
                call,
                report(record | {"calls": changed}),
                f"{sides} sides, {seen}",
                ("turns",),
                missed,
            )


@broken_rules.property("a reported time that is not the median of the later calls breaks a rule")
def median_missing(call, draw):
    """The mean, the fastest, the median of all calls; for the last side only."""
    ways = (
        (
            lambda times: sum(times[1:]) / len(times[1:]),
            "the mean of the later calls",
            "their mean passes for the median of the later calls",
        ),
        (
            lambda times: min(times),
            "the fastest call",
            "the fastest time passes for the median of the later calls",
        ),
        (
            statistics.median,
            "the median of all calls, the first included",
            "a median that counts the first call passes for the median of the later calls",
        ),
    )
    for sides in (2, 3):
        for how, seen, fault in ways:
            record = honest(draw, sides, 6)
            [*_, last] = record["tokens"]
            record["reported"][last] = report(dict(record), how)["reported"][last]
            judge(
                call,
                record,
                f"{sides} sides, for the last {seen}",
                ("median",),
                fault,
            )
        record = honest(draw, sides, 6)
        judge(
            call,
            report(record, max),
            f"{sides} sides, for each the slowest call",
            ("median",),
            "the slowest time passes for the median of the later calls",
        )


@broken_rules.property("a load above 0.3 breaks a rule, and 0.3 itself does not")
def load_high(call, draw):
    """At the border and above."""
    for load, right in ((0.31, ("load",)), (0.3, ()), (1.0, ("load",))):
        record = honest(draw, 2, 5) | {"load": load}
        missed = "a busy machine passes" if right else "a load of exactly 0.3 is not above it"
        judge(call, record, f"load {load}", right, missed)


@broken_rules.property("all broken rules are named, in the order given")
def several(call, draw):
    """Two at once, and all four."""
    record = honest(draw, 2, 5) | {"load": 0.9}
    record["log_probabilities"]["growing"][0] += 1
    record["tokens"]["growing"][0][0] += 1
    judge(call, record, "unequal outputs, load 0.9", ("outputs", "load"), "only one rule is named")
    record["calls"] = sorted(record["calls"])
    record["reported"]["growing"] *= 2
    judge(call, record, "all four broken", RULES, "not all broken rules are named")
