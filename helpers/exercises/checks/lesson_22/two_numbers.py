"""Exercise 22.2: two numbers for one wait."""

import itertools

import torch

from helpers.exercises import expect
from helpers.exercises.exercise import Broken, Exercise

two_numbers = Exercise(
    "22.2",
    "two_numbers",
    title="Two numbers for one wait",
    minutes=6,
    level="medium",
    points=2,
    imports=(),
    hints=(
        "Draw the times on a line. Which stretch belongs to the prompt, and how many tokens lie "
        "behind the first one?",
        "A clock that runs an hour ahead changes nothing. A prompt that takes a second longer "
        "changes the first number and not the second. Between n tokens there are n - 1 gaps.",
        "[times[0] - asked, (len(times) - 1) / (times[-1] - times[0])], and None in place of the "
        "second where there is one token only.",
    ),
)


def stamps(draw: torch.Generator, count: int, first: float) -> tuple[float, list[float]]:
    """Return when somebody asked, and when each token came."""
    asked = 100 * float(torch.rand((), generator=draw)) + 5
    gaps = 0.02 + 0.1 * torch.rand(count, generator=draw, dtype=torch.float64)
    gaps[0] = first
    return asked, (asked + gaps.cumsum(0)).tolist()


def answer(value, seen: str) -> tuple[float, float | None]:
    """Return both numbers, each of its form."""
    first, rate = expect.items(value, 2, seen)
    first = expect.number(first, f"{seen}, in the first number")
    return first, rate if rate is None else expect.number(rate, f"{seen}, in the second number")


def compare(call, asked: float, times: list[float], seen: str) -> None:
    """Compare both numbers of two tokens or more, and name the known slips."""
    first, rate = answer(call(asked, times), seen)
    wait = times[0] - asked
    expect.equal(
        first,
        wait,
        f"{seen}, in the first number:",
        "the time to the first token is another one",
        known=(
            (times[0], "the clock does not start at 0: take off when it was asked"),
            (times[-1] - asked, "that is the time to the last token"),
            (1000 * wait, "the first number is in milliseconds: seconds are asked for"),
        ),
    )
    if rate is None:
        raise Broken("several tokens have a rate, and it gives None", seen)
    n, whole, after = len(times), times[-1] - asked, times[-1] - times[0]
    gaps = [b - a for a, b in itertools.pairwise(times)]
    expect.equal(
        rate,
        (n - 1) / after,
        f"{seen}, in the second number:",
        "the tokens a second after the first are another number",
        known=(
            (n / after, "the first token is counted, and the wait for it is not"),
            (n / whole, "the wait for the first token is in the rate"),
            ((n - 1) / whole, "the wait for the first token is in the time, its token is not"),
            (after / (n - 1), "that is seconds a token: tokens a second are asked for"),
            (
                sum(1 / gap for gap in gaps) / len(gaps),
                "the mean of single rates makes much of the short gaps: divide the sums",
            ),
        ),
    )


@two_numbers.property("it is the wait for the first token, and the rate after it")
def both(call, draw):
    """Drawn times."""
    for count in (2, 5, 12):
        compare(call, *stamps(draw, count, 0.7), f"for {count} tokens")


@two_numbers.property("a longer wait changes the first number only")
def longer_wait(call, draw):
    """The same gaps behind two waits."""
    asked, times = stamps(draw, 6, 0.5)
    later = [time + 2 for time in times]
    (a, rate), (b, other) = (answer(call(asked, t), "for 6 tokens") for t in (times, later))
    seen = f"for a wait that is 2 seconds longer it goes from {[a, rate]} to {[b, other]}"
    if not expect.close(b - a, 2.0):
        raise Broken("a wait of two seconds more is not two seconds more in the first number", seen)
    if rate is None or other is None or not expect.close(rate, other):
        raise Broken("a longer wait changes the rate", seen)


@two_numbers.property("one token has no rate")
def one_token(call, draw):
    """A single token."""
    asked, times = stamps(draw, 1, 0.4)
    first, rate = answer(call(asked, times), "for one token")
    if rate is not None:
        fault = "behind a single token there is no rate: None is asked for"
        raise Broken(fault, f"for one token it gives {rate}")
    expect.equal(first, times[0] - asked, "for one token:", "one token is waited for as well")


@two_numbers.property("a clock may stand at 0")
def clock_at_zero(call, draw):
    """Asked at 0, and the first token at 0."""
    for asked, times in ((0.0, [1.0, 2.0]), (-1.0, [0.0, 0.5]), (0, [0.5])):
        first, _ = answer(call(asked, times), f"for asked = {asked}, times = {times}")
        fault = "a clock that stands at 0 is taken for one that is not known"
        expect.equal(first, times[0] - asked, f"for asked = {asked}, times = {times}:", fault)
