"""Checks of the exercises of lesson 11, measuring the cache."""

import itertools
import math
import random
import statistics

import torch

from helpers.config import DecoderConfig
from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show
from helpers.operations import Work, generation_work


def between(draw: torch.Generator, low: float, high: float) -> float:
    """Return a number between two others."""
    return low + (high - low) * float(torch.rand((), generator=draw, dtype=torch.float64))


def whole_between(draw: torch.Generator, low: int, high: int) -> int:
    """Return a whole number from low to high, both included."""
    return int(torch.randint(low, high + 1, (), generator=draw))


def shuffled(draw: torch.Generator, values: list) -> list:
    """Return the values in another order."""
    return [values[i] for i in torch.randperm(len(values), generator=draw).tolist()]


# -- 11.1

median = Exercise(
    "11.1",
    "median",
    title="The median",
    minutes=3,
    level="warm-up",
    points=1,
    imports=(),
    hints=(
        "Which of the times has as many below it as above it? And what if there are two such?",
        "For [3.0, 1.0, 2.0] it is 2.0, and it stays 2.0 for [3000.0, 1.0, 2.0]. For [4.0, 1.0] "
        "it is 2.5.",
        "ordered = sorted(times) makes a sorted copy. With n times, the places (n - 1) // 2 and "
        "n // 2 are the two in the middle; for an odd n they are the same. Take their mean.",
    ),
)


def times_of(draw: torch.Generator, count: int) -> list[float]:
    """Return times far enough apart that no two faults agree, in an order that is not sorted."""
    values, value = [], between(draw, 1, 2)
    for step in range(count):
        values.append(value)
        value += between(draw, 1, 2) * (1 + step)
    # the place in the middle must not hold the middle value
    return [*values[1:], values[0]]


@median.property("it is one number, also for one time and for two")
def median_form(call, draw):
    """One time, two, three."""
    for count in (1, 2, 3):
        times = times_of(draw, count)
        expect.number(call(times), f"for {count} time{'s' if count > 1 else ''}")


@median.property("the order of the times does not matter")
def median_order(call, draw):
    """Shuffle."""
    for count in (3, 4, 7):
        times = times_of(draw, count)
        first = expect.number(call(times))
        for _ in range(4):
            other = shuffled(draw, times)
            if not expect.close(expect.number(call(other)), first):
                raise Broken(
                    "it changes when the times are shuffled",
                    f"for {count} times",
                )


@median.property("one slow time does not move it")
def median_slow(call, draw):
    """The largest of three or more becomes a thousand times larger."""
    for count in (3, 4, 5, 6):
        times = times_of(draw, count)
        slow = [1000 * time if time == max(times) else time for time in times]
        before, after = expect.number(call(times)), expect.number(call(slow))
        if not expect.close(after, before):
            raise Broken(
                "one slow time moves it", f"for {count} times, from {before:.4g} to {after:.4g}"
            )


@median.property("as many times are above it as below; of two in the middle it is the mean")
def median_values(call, draw):
    """Compare, and name the known slips."""
    cases = [times_of(draw, count) for count in (1, 2, 3, 4, 7, 8)]
    cases += [[1.0, 1.0, 1.0, 4.0, 6.0], [2.0, 0.0, 0.0, 0.0, 3.0, 5.0, 7.0, 7.0]]
    for times in cases:
        ordered, count = sorted(times), len(times)
        different = sorted(set(times))
        expect.equal(
            expect.number(call(times)),
            statistics.median(times),
            f"for {show(times)}",
            fault="it is not the value in the middle of the sorted times",
            known=(
                (sum(times) / count, "this is the mean of all times"),
                (ordered[(count - 1) // 2], "this is the lower of the two in the middle"),
                (ordered[count // 2], "this is the upper of the two in the middle"),
                (times[count // 2], "this is the middle of the list as it was given"),
                ((ordered[0] + ordered[-1]) / 2, "this is halfway from the fastest to the slowest"),
                (statistics.median(different), "equal times must each count"),
            ),
        )


# -- 11.2

crossing = Exercise(
    "11.2",
    "crossing",
    title="The crossing",
    minutes=10,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "How long does one row take? And how often does that fit into the overhead?",
        "Put your answer B back: B rows must take longer than the overhead, and B - 1 rows must "
        "not. With no overhead at all one row is enough.",
        "row = price * (4 * width**2 + 2 * width * hidden) is the time of one row. The number you "
        "want is the next whole number above overhead / row, also when that is whole itself: "
        "math.floor(...) + 1.",
    ),
)


def row_work(width: int, hidden: int) -> int:
    """Return the multiply-adds of one row in one block, without attention."""
    return 4 * width**2 + 2 * width * hidden


@crossing.property("it is a whole number, 1 or more")
def crossing_form(call, draw):
    """Also without overhead."""
    for overhead in (0.0, 0.003):
        rows = expect.whole(call(overhead, 1e-9, 8, 24), f"for an overhead of {overhead}")
        if rows < 1:
            raise Broken(
                "it gives no row at all, and no rows take no time", f"for an overhead of {overhead}"
            )


@crossing.property("so many rows take longer than the overhead, and one fewer does not")
def crossing_rows(call, draw):
    """Drawn models, with the overhead clearly between two numbers of rows."""
    for share in (0.3, 0.7, 0.5):
        width, hidden = 4 * whole_between(draw, 2, 40), 4 * whole_between(draw, 50, 90)
        price = between(draw, 1, 9) * 1e-10
        before = whole_between(draw, 20, 400)
        row = row_work(width, hidden)
        overhead = (before + share) * row * price

        def right(work, overhead=overhead, price=price):
            return math.floor(overhead / (work * price)) + 1

        expect.equal(
            expect.whole(call(overhead, price, width, hidden)),
            before + 1,
            f"for overhead {overhead:.4g}, price {price:.4g}, width {width}, hidden {hidden}:",
            fault="it is not the number of rows where the work overtakes the overhead",
            known=(
                (before, "with so many rows the work is still below the overhead: round up"),
                (right(row - 2 * width**2), "a row has four projections of width x width"),
                (right(row - 3 * width**2), "one projection is counted where there are four"),
                (
                    right(row - width * hidden),
                    "the feed-forward goes in and out again: two products",
                ),
                (right(4 * width**2), "the feed-forward is left out"),
                (right(2 * width * hidden), "the four projections are left out"),
                (right(12 * width**2), "hidden is given; it need not be four times the width"),
            ),
        )


@crossing.property("rows that take exactly as long as the overhead do not take longer")
def crossing_tie(call, draw):
    """Powers of two, so that rounding plays no part."""
    for width, hidden in ((8, 24), (16, 40)):
        rows = whole_between(draw, 2, 30)
        row = row_work(width, hidden) * 2.0**-30
        seen = f"for width {width}, hidden {hidden} and an overhead of exactly {rows} rows"
        half = expect.whole(call((rows - 0.5) * row, 2.0**-30, width, hidden), seen)
        if half != rows:
            raise Broken(
                "half a row below a tie it is wrong too",
                f"{seen} less a half it gives {half}, right is {rows}",
            )
        expect.equal(
            expect.whole(call(rows * row, 2.0**-30, width, hidden)),
            rows + 1,
            seen,
            fault="at a tie it is wrong: the next row is the first that takes longer",
        )


# -- 11.3

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
    dice = random.Random(whole_between(draw, 0, 10**6))
    rows, length = 3, 4
    sure = [-dice.uniform(3, 9) for _ in range(rows)]
    tokens = [[dice.randrange(3, 12) for _ in range(length)] for _ in range(rows)]
    calls = []
    for turn in range(rounds):
        order = names[turn % sides :] + names[: turn % sides]
        slow = 40 if turn == 0 else 1
        calls += [[name, slow * dice.uniform(0.001, 0.004)] for name in order]
    record = {
        "log_probabilities": {
            name: [value + number * dice.uniform(-3e-5, 3e-5) for value in sure]
            for number, name in enumerate(names)
        },
        "tokens": {name: [list(row) for row in tokens] for name in names},
        "calls": calls,
        "load": dice.uniform(0, 0.2),
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
            "their mean",
        ),
        (lambda times: min(times), "the fastest call", "the fastest time"),
        (
            statistics.median,
            "the median of all calls, the first included",
            "a median that counts the first call",
        ),
    )
    for sides in (2, 3):
        for how, seen, name in ways:
            record = honest(draw, sides, 6)
            [*_, last] = record["tokens"]
            record["reported"][last] = report(dict(record), how)["reported"][last]
            judge(
                call,
                record,
                f"{sides} sides, for the last {seen}",
                ("median",),
                f"{name} passes for the median of the later calls",
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


# -- 11.4

predicted_speed_up = Exercise(
    "11.4",
    "predicted_speed_up",
    title="Much longer texts, and a smaller batch",
    minutes=25,
    level="hard",
    points=4,
    imports=(),
    hints=(
        "A run has as many steps as tokens are made. In step k the text so far has k tokens. How "
        "many rows pass through the model in it without a cache, and how many with one? How many "
        "keys does each row look at?",
        "For tokens = 1 both ways do the same: exactly 1. With price 0 it is 1 for every length. "
        "With overhead 0 and no matrix work to speak of it is near (2T + 1) / 3, and no number of "
        "heads changes it.",
        "For k from 1 to tokens, q = 1 with a cache and k without: add q * blocks * (4 * C**2 + "
        "2 * C * hidden), then q * k * blocks * 2 * C, then C * vocab. seconds = tokens * overhead "
        "+ rows * work * price. Divide the seconds without a cache by those with one.",
    ),
)


def some_model(draw: torch.Generator) -> dict:
    """Return a small model whose hidden width is not four times its width."""
    heads = whole_between(draw, 2, 4)
    width = heads * whole_between(draw, 2, 5)
    return {
        "width": width,
        "blocks": whole_between(draw, 2, 4),
        "heads": heads,
        "hidden": 2 * width + whole_between(draw, 1, 9),
        "vocab": whole_between(draw, 20, 60),
    }


def works(rows: int, tokens: int, model: dict) -> tuple[Work, Work]:
    """Return the exact work without and with a cache."""
    config = DecoderConfig(
        vocab_size=model["vocab"],
        context=tokens + 1,
        width=model["width"],
        heads=model["heads"],
        blocks=model["blocks"],
        hidden=model["hidden"],
    )
    without, cached = (
        generation_work(config, tokens, batch=rows, cached=kind) for kind in (False, True)
    )
    return without, cached


def known_counts(rows: int, tokens: int, model: dict) -> list[tuple[float, float, str]]:
    """Return (work without, work with a cache, what is wrong) for counts that people make."""
    without, cached = works(rows, tokens, model)
    heads = model["heads"]
    C, B, T = model["width"], rows, tokens
    block = 4 * C**2 + 2 * C * model["hidden"]
    hidden = works(rows, tokens, model | {"hidden": 4 * C})
    one_block = works(rows, tokens, model | {"blocks": 1})
    triangles = T * (T + 1) * (T + 2) // 6 * B * model["blocks"] * 2 * C
    all_logits = B * T * (T + 1) // 2 * C * model["vocab"]

    def total(works, matrix=1.0, attention=1.0, head=1.0):
        return [w.matrix * matrix + w.attention * attention + w.head * head for w in works]

    both = (without, cached)
    return [
        (*total(both, attention=heads), "the heads share the width: more heads are no more work"),
        (
            without.matrix + triangles + without.head,
            cached.total,
            "every pair of a pass is computed, also those that the mask hides",
        ),
        (*total(both, head=0), "the step from state to logits is left out"),
        (
            without.matrix + without.attention + all_logits,
            cached.total,
            "logits are made for the last position only, not for every row",
        ),
        (*total(hidden), "hidden is given; it need not be four times the width"),
        (*total(one_block), "every block does this work"),
        (*total(both, attention=0), "attention is left out"),
        (*total(both, attention=0.5), "a pair costs two products: its score and its average"),
        (
            *total(both, matrix=(4 * C**2 + C * model["hidden"]) / block),
            "the feed-forward goes in and out again: two products",
        ),
        (*total(works(rows, tokens + 1, model)), "the last new token is never read"),
    ]


@predicted_speed_up.property("it is one number")
def speed_up_form(call, draw):
    """Short and longer, one row and many."""
    for rows, tokens in ((1, 1), (4, 6)):
        value = expect.number(
            call(rows, tokens, some_model(draw), 0.001, 1e-9), f"for {rows} x {tokens}"
        )
        if value <= 0:
            raise Broken("it is not above 0, and a quotient of times is", f"{rows} x {tokens}")


@predicted_speed_up.property("one token, or work that costs nothing, leaves the cache no gain")
def no_gain(call, draw):
    """Exactly 1."""
    model = some_model(draw)
    for rows in (1, 7):
        expect.equal(
            expect.number(call(rows, 1, model, 0.001, 1e-8)),
            1.0,
            f"for {rows} x 1",
            fault="for one token both ways do the same, so it must be 1",
        )
        expect.equal(
            expect.number(call(rows, 6, model, 0.001, 0.0)),
            1.0,
            f"for {rows} x 6 at a price of 0",
            fault="where work costs nothing both ways have the same overhead, so it must be 1",
        )


@predicted_speed_up.property("without overhead it is the ratio of the exact counts")
def ratio_of_counts(call, draw):
    """Compare with helpers.operations, and name the known slips."""
    for rows, tokens in ((1, 2), (3, 5), (2, 12)):
        model = some_model(draw)
        without, cached = works(rows, tokens, model)
        expect.equal(
            expect.number(call(rows, tokens, model, 0.0, 1e-9)),
            without.total / cached.total,
            f"for {rows} x {tokens} and {model}:",
            fault="the multiply-adds are counted wrongly",
            known=[
                (cached.total / without.total, "it is upside down: without a cache comes first"),
                *((a / b, sentence) for a, b, sentence in known_counts(rows, tokens, model)),
            ],
        )


@predicted_speed_up.property("overhead holds it down: it rises with the rows, up to that ratio")
def rises_with_rows(call, draw):
    """More rows, the same overhead."""
    model, tokens = some_model(draw), 9
    bound = expect.number(call(1, tokens, model, 0.0, 1e-9))
    overhead = works(1, tokens, model)[0].total * 1e-9
    found = [
        expect.number(call(rows, tokens, model, overhead, 1e-9)) for rows in (1, 4, 16, 64, 10**7)
    ]
    seen = f"for 1, 4, 16, 64 and 10,000,000 rows it gives {show(found)}"
    if any(b <= a for a, b in itertools.pairwise(found)):
        raise Broken("more rows at the same overhead must gain more", seen)
    if not expect.close(found[-1], bound, 1e-3):
        raise Broken(
            "with very many rows it must come to what it is without overhead",
            f"{seen}, and {bound:.4g} without overhead",
        )


@predicted_speed_up.property("each step pays the overhead, each multiply-add its price")
def with_both_prices(call, draw):
    """Compare, and name slips about the overhead."""
    for rows, tokens in ((2, 7), (5, 20)):
        model = some_model(draw)
        without, cached = (work.total for work in works(rows, tokens, model))
        price = between(draw, 1, 2) * 1e-10
        overhead = between(draw, 0.5, 1.5) * cached * price / tokens

        def ratio(first, second, without=without, cached=cached, price=price):
            return (first + without * price) / (second + cached * price)

        steps = tokens * overhead
        passes = tokens * (tokens + 1) / 2 * overhead
        expect.equal(
            expect.number(call(rows, tokens, model, overhead, price)),
            ratio(steps, steps),
            f"for {rows} x {tokens}, overhead {overhead:.4g}, price {price:.4g}:",
            fault="the overhead and the work are not put together as the theory says",
            known=[
                (ratio(0, 0), "this is the ratio of the counts, as if overhead cost nothing"),
                (ratio(overhead, overhead), "the overhead is paid once a run, not at each step"),
                (ratio(steps, overhead), "a run with a cache has as many steps as one without"),
                (ratio(passes, steps), "one step pays its overhead once, however many rows pass"),
                (
                    ratio(rows * steps, rows * steps),
                    "all rows of the batch go through one step together",
                ),
                (1 / ratio(steps, steps), "it is upside down: without a cache comes first"),
                *(
                    ((steps + a * price) / (steps + b * price), sentence)
                    for a, b, sentence in known_counts(rows, tokens, model)
                ),
            ],
        )


# -- 11.5

fitted_prices = Exercise(
    "11.5",
    "fitted_prices",
    title="Two prices from many points",
    minutes=30,
    level="challenge",
    points=4,
    imports=("torch", "numpy"),
    hints=(
        "The sum of the squared misses is smallest where moving either price a little changes "
        "nothing. What does dividing a miss by the measured time do to the three numbers of a "
        "point?",
        "Two points alone must be met exactly. If one point takes 1,000 times as long as the "
        "others, it must not count more than they do: give a point twice, and see what changes.",
        "Divide steps and millions of each point by its milliseconds: s and m. Now s * overhead + "
        "m * price should be 1 for every point. Solve overhead * sum(s*s) + price * sum(s*m) = "
        "sum(s) and overhead * sum(s*m) + price * sum(m*m) = sum(m), or give the table of s and m "
        "and a column of ones to numpy.linalg.lstsq.",
    ),
)
# the medians of data/benchmarks/kv_cache.json: steps, millions of multiply-adds, milliseconds
RECORDED = [
    [9, 0.574656, 6.218],  # 1 x 9 uncached
    [9, 0.116928, 5.942],  # 1 x 9 preallocated
    [9, 4.597248, 6.975],  # 8 x 9 uncached
    [9, 0.935424, 6.295],  # 8 x 9 preallocated
    [9, 294.223872, 45.381],  # 512 x 9 uncached
    [9, 59.867136, 16.766],  # 512 x 9 preallocated
    [64, 250.462208, 64.680],  # 8 x 64 uncached
    [64, 7.553024, 42.946],  # 8 x 64 preallocated
    [64, 16029.581312, 1795.591],  # 512 x 64 uncached
    [64, 483.393536, 173.798],  # 512 x 64 preallocated
    [512, 4485.660672, 977.744],  # 1 x 512 uncached
    [512, 14.893056, 324.130],  # 1 x 512 preallocated
    [512, 35885.285376, 4831.995],  # 8 x 512 uncached
    [512, 119.144448, 393.063],  # 8 x 512 preallocated
    [256, 48917.643264, 5641.200],  # 64 x 256 uncached
    [256, 342.360064, 272.153],  # 64 x 256 preallocated
]


def fit(points: list, weight=lambda ms: 1 / ms, mixed: float = 1) -> list[float]:
    """Return the prices with the smallest sum of (weight * miss) squared."""
    ss = sm = mm = st = mt = 0.0
    for steps, millions, ms in points:
        w = weight(ms) ** 2
        ss, sm, mm = ss + w * steps**2, sm + w * steps * millions, mm + w * millions**2
        st, mt = st + w * steps * ms, mt + w * millions * ms
    sm *= mixed
    below = ss * mm - sm * sm
    return [(st * mm - mt * sm) / below, (mt * ss - st * sm) / below]


def some_points(draw: torch.Generator, count: int, noise: float) -> tuple[list, list[float]]:
    """Return points that two prices explain, up to noise, and the prices."""
    overhead, price = between(draw, 0.4, 0.9), between(draw, 0.1, 0.3)
    points = []
    for number in range(count):
        steps = 2 ** (1 + number % 5) + whole_between(draw, 0, 1)
        millions = between(draw, 1, 3) * 4.0 ** (number * 3 % 7) / 10
        miss = 1 + noise * between(draw, -1, 1)
        points.append([steps, millions, (steps * overhead + millions * price) * miss])
    return points, [overhead, price]


def compare_prices(call, points: list, seen: str, fault: str) -> None:
    """Compare each price, relative to its own size, and name the known slips."""
    right = fit(points)

    def relative(prices):
        return [price / other for price, other in zip(prices, right, strict=True)]

    got = expect.numbers(call(points), 2, seen)
    if expect.close(relative(got), [1.0, 1.0]):
        return
    for prices, sentence in (
        (right[::-1], "the two prices are swapped"),
        (
            fit(points, lambda ms: 1.0),
            "the misses are taken in milliseconds, so the slowest points decide alone",
        ),
        (
            fit(points, lambda ms: ms**-0.5),
            "a squared miss is divided by the time, where the miss itself should be",
        ),
        (fit(points, mixed=0), "each price is fitted as if the other were nothing"),
        (
            fit([points[0], points[-1]]),
            "only the first and the last point decide, the others are not used",
        ),
        (fit(points[:2]), "only the first two points decide, the rest is not used"),
    ):
        if expect.close(relative(got), relative(prices)):
            fault = sentence
            break
    raise Broken(fault, f"{seen} it gives {show(got)}, right is {show(right)}")


@fitted_prices.property("it gives two numbers: the price of a step, and that of a million")
def prices_form(call, draw):
    """Two points and eight."""
    for count in (2, 8):
        expect.numbers(call(some_points(draw, count, 0.1)[0]), 2, f"for {count} points")


@fitted_prices.property("where the theory is exact, it finds the prices that were used")
def prices_exact(call, draw):
    """No noise: every way of weighing finds the same."""
    for count in (2, 3, 8):
        points, _ = some_points(draw, count, 0)
        compare_prices(
            call, points, f"for {count} points without noise", "it misses the prices it should find"
        )


@fitted_prices.property("no other pair of prices misses less, relative to the times")
def prices_best(call, draw):
    """With noise, points of every size."""
    for count in (3, 8, 12):
        points, _ = some_points(draw, count, 0.2)
        points.insert(1, points[1])  # measured twice, so it counts twice
        compare_prices(
            call,
            points,
            f"for {count + 1} points with noise",
            "another pair of prices has a smaller sum of squared relative misses",
        )


@fitted_prices.property("the order of the points does not matter")
def prices_order(call, draw):
    """Shuffle."""
    points, _ = some_points(draw, 6, 0.2)
    first = expect.numbers(call(points), 2)
    for _ in range(3):
        other = expect.numbers(call(shuffled(draw, points)), 2)
        if not all(math.isclose(a, b, rel_tol=1e-5) for a, b in zip(other, first, strict=True)):
            raise Broken(
                "the prices change with the order of the points",
                f"for 6 points, from {show(first)} to {show(other)}",
            )


@fitted_prices.property("for the recorded grid it gives the prices of that machine")
def prices_recorded(call, draw):
    """The sixteen medians of lesson 11."""
    compare_prices(
        call, RECORDED, "for the recorded grid", "it misses the prices of the recorded grid"
    )


EXERCISES = (median, crossing, broken_rules, predicted_speed_up, fitted_prices)
