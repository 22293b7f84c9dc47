"""Exercise 11.1: the median."""

import statistics

import torch

from helpers.exercises import expect
from helpers.exercises.checks.lesson_11.shared import between, shuffled
from helpers.exercises.exercise import Broken, Exercise
from helpers.exercises.plain import show

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
    cases += [[-5.0, 1.0, 2.0], [3.0, -4.0, 1.0, -2.0]]
    for times in cases:
        ordered, count = sorted(times), len(times)
        different, by_size = sorted(set(times)), sorted(times, key=abs)
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
                (
                    statistics.median(by_size[(count - 1) // 2 : count // 2 + 1]),
                    "numbers below 0 are sorted by their size",
                ),
            ),
        )
